import { z } from 'zod';
import { act } from '../act.ts';
import { told } from '../told.ts';
import { existingUserId, personId } from '../user/one-person.ts';
import { moment, momentOrNone, nextCursor, paging, text, texts } from '../values.ts';
import type { AppPassword } from './app-passwords.ts';

// Imported late: a command line that only prints its help opens no store.
const passwords = () => import('./app-passwords.ts');

const id = text.meta({ description: 'the id of the app password' });
const client = text.meta({ description: 'the client_id of the app' });

const appPassword = z
  .object({
    id: text,
    user_id: text,
    username: text,
    client_id: text,
    client_name: text,
    name: text,
    networks: texts,
    created_at: moment,
    expires_at: momentOrNone,
    last_used_at: momentOrNone,
  })
  .meta({ id: 'AppPassword' });

export const appPasswordActs = {
  list: act({
    may: 'see-people',
    says: 'list app passwords, newest first',
    takes: z.strictObject({
      user: personId.optional(),
      client: client.optional(),
      ...paging,
    }),
    tells: z.object({ app_passwords: z.array(appPassword), next: nextCursor }),
    async run({ user: userId, client: clientId, ...page }) {
      const { listAppPasswords } = await passwords();
      const { rows, next } = await listAppPasswords({ userId, clientId, ...page });
      return { app_passwords: rows.map(toldPassword), next };
    },
  }),

  create: act({
    may: 'fresh-admin',
    says: 'make a password of a user for one app; it is shown once, and the user is told by mail',
    example: { user: 'USER_ID', client: 'calendar', name: 'Phone', for: '90 days' },
    takes: z.strictObject({
      user: personId,
      client,
      name: text.meta({ description: 'the program or device it is for' }),
      for: text
        .meta({ description: 'how long it works, such as "90 days" (until it is ended)' })
        .optional(),
      networks: texts
        .meta({ description: 'the networks it works from, such as 203.0.113.0/24 (anywhere)' })
        .optional(),
    }),
    tells: appPassword.extend({ secret: text }),
    async run(said, { actor, now }) {
      const { makeAppPassword } = await passwords();
      const user = await existingUserId(said.user);
      const made = await makeAppPassword({ ...said, user, secondFactor: true }, actor, now);
      return { ...toldPassword(made), secret: made.secret };
    },
  }),

  end: act({
    may: 'help-people',
    says: 'end an app password; it stops working immediately, and its user is told by mail',
    takes: z.strictObject({ id }),
    tells: z.object({ id, name: text, username: text, ended: z.literal(true) }),
    async run({ id }, { actor, now }) {
      const { name, username } = await (await passwords()).endAppPassword({ id }, actor, now);
      return { id, name, username, ended: true as const };
    },
  }),
};

const toldPassword = (password: AppPassword): z.input<typeof appPassword> =>
  told(appPassword, password);
