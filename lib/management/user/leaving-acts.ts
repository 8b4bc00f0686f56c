import { z } from 'zod';
import { roles } from '../../people/roles.ts';
import { act } from '../act.ts';
import { told } from '../told.ts';
import { moment, oneOf, text, textOrNone, texts } from '../values.ts';
import { groupsTold } from './fields.ts';
import type { Belongings, Left } from './leaving.ts';
import { personId, takesPerson } from './one-person.ts';

// Imported late: a command line that only prints its help opens no store.
const leaving = () => import('./leaving.ts');

const appTold = z.object({ client_id: text, name: text });
const keyTold = z.object({ id: text, name: text, rights: texts });
const currentKeyTold = keyTold.extend({ expires_at: moment });
const tokenTold = z.object({ id: text, name: text, expires_at: moment });
const invitationTold = z.object({ id: text, email: text, expires_at: moment });

const belongingsTold = z
  .object({
    id: text,
    username: text,
    role: z.enum(roles),
    last_admin: z.boolean().meta({ description: 'nobody else could manage this server' }),
    apps: z
      .array(appTold.extend({ only_contact: z.boolean() }))
      .meta({ description: 'apps that they are a developer contact of' }),
    api_keys: z.array(currentKeyTold),
    registration_tokens: z
      .array(tokenTold)
      .meta({ description: 'as far back as the audit log records who made them' }),
    invitations: z
      .array(invitationTold)
      .meta({ description: 'that they sent and that are still pending; at most 200' }),
    groups: groupsTold,
    sessions: z.int().meta({ description: 'where they are signed in' }),
    approvals: z.int().meta({ description: 'apps that they gave access' }),
    decisions: z.int().meta({ description: 'apps that they approved or refused' }),
  })
  .meta({ id: 'Belongings' });

const leftTold = z
  .object({
    id: text,
    username: text,
    account: z.enum(['disabled', 'deleted']),
    successor: textOrNone.meta({ description: 'the username of the person who took over' }),
    apps: z.array(appTold).meta({ description: 'apps that were handed over' }),
    ended_api_keys: z.array(keyTold).meta({ description: 'keys to be made again, if needed' }),
    ended_registration_tokens: z.array(z.object({ id: text, name: text })),
  })
  .meta({ id: 'Departure' });

export const leavingActs = {
  belongings: act({
    may: 'see-everything',
    says: 'show what a user owns: apps, keys, tokens, invitations, groups',
    takes: takesPerson,
    tells: belongingsTold,
    run: async (said, { now }) =>
      toldBelongings(await (await leaving()).belongingsOf(said.id, now)),
  }),

  leave: act({
    may: 'fresh-admin',
    says: 'let a user leave: hand over their apps, end their keys, tokens and sessions, then disable or delete them',
    example: { account: 'disable' },
    takes: z.strictObject({
      id: personId,
      successor: text
        .meta({
          description: 'the person who takes over their apps: username, email address or id',
        })
        .optional(),
      account: oneOf(['disable', 'delete']).meta({
        description: 'what becomes of the account: disable or delete',
      }),
    }),
    tells: leftTold,
    async run(said, { actor, now }) {
      const left = await (await leaving()).leave(said, actor, now);
      return toldLeft(left, said.account);
    },
  }),
};

function toldBelongings({ user, ...found }: Belongings): z.input<typeof belongingsTold> {
  const { id, username, role } = user;
  return told(belongingsTold, {
    ...found,
    id,
    username,
    role,
    apps: found.apps.map(({ alone, ...app }) => ({ ...toldApp(app), only_contact: alone })),
    apiKeys: found.keys.map((key) => told(currentKeyTold, key)),
    registrationTokens: found.tokens.map((token) => told(tokenTold, token)),
    invitations: found.invitations.map((sent) => told(invitationTold, sent)),
    approvals: found.approvals.count,
  });
}

function toldLeft(left: Left, account: 'disable' | 'delete'): z.input<typeof leftTold> {
  const { user, successor, apps, keys, tokens } = left;
  return {
    id: user.id,
    username: user.username,
    account: account === 'delete' ? 'deleted' : 'disabled',
    successor: successor?.username ?? null,
    apps: successor ? apps.map(toldApp) : [],
    ended_api_keys: keys.map((key) => told(keyTold, key)),
    ended_registration_tokens: tokens.map(({ id, name }) => ({ id, name })),
  };
}

const toldApp = ({ id, name }: { id: string; name: string }) => ({ client_id: id, name });
