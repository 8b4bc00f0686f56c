import { z } from 'zod';
import { act } from '../act.ts';
import { told } from '../told.ts';
import { existingUserId, personId } from '../user/one-person.ts';
import { moment, text, textOrNone, texts } from '../values.ts';

// Imported late: a command line that only prints its help opens no store.
const sessions = () => import('./sessions.ts');

const session = z
  .object({
    id: text,
    created_at: moment,
    last_seen_at: moment,
    amr: texts.meta({ description: 'how they signed in (RFC 8176)' }),
    brief: z.boolean().meta({ description: 'they did not want to stay signed in there' }),
    user_agent: textOrNone,
    address: textOrNone,
  })
  .meta({ id: 'Session' });

export const sessionActs = {
  list: act({
    may: 'see-people',
    says: 'list the sessions of a user, most recently active first; at most 100',
    takes: z.strictObject({ user_id: personId }),
    tells: z.object({ sessions: z.array(session) }),
    async run(said, { now }) {
      const found = await (await sessions()).listSessions(await existingUserId(said.user_id), now);
      return { sessions: found.map((one) => told(session, { ...one, id: one.hash })) };
    },
  }),

  end: act({
    may: 'help-people',
    says: 'end a session of a user',
    takes: z.strictObject({ user_id: personId, id: text.meta({ description: 'of the session' }) }),
    tells: z.object({ user_id: text, id: text, ended: z.literal(true) }),
    async run({ user_id, id }, { actor, now }) {
      await (await sessions()).endSession(await existingUserId(user_id), id, actor, now);
      return { user_id, id, ended: true as const };
    },
  }),

  endAll: act({
    may: 'help-people',
    says: 'sign a user out everywhere: end their sessions and revoke their tokens',
    takes: z.strictObject({ user_id: personId }),
    tells: z.object({ user_id: text, username: text, ended: z.literal(true) }),
    async run({ user_id }, { actor, now }) {
      const { username } = await (await sessions()).signOutEverywhere(
        await existingUserId(user_id),
        actor,
        now,
      );
      return { user_id, username, ended: true as const };
    },
  }),
};
