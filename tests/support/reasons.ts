import { disableClient, updateClient } from '#lib/management/client/clients.ts';
import { createTerms } from '#lib/management/terms/terms.ts';
import { disableUser, requireSecondFactor } from '#lib/management/user/users.ts';
import { disallow } from '#lib/store/access.ts';
import { write } from '#lib/store/engine/database.ts';
import { unique } from '../management/people.ts';

const cli = { id: 'cli' };
const networks = ['198.51.100.0/24'];

/** `api`: the app that exchanges the token of `client`. */
type Scene = {
  client: { id: string };
  person: { user: { id: string }; address: string };
  api?: { id: string };
};

/** Every reason that keeps a person out of an app that lists them: what brings it about. */
export const reasons = {
  'they lost access': ({ client, person }: Scene) =>
    disallow(client.id, { groups: [], people: [person.user.id] }, [], new Date()),
  // As after a restore: the rows say so, but nothing they were given has been ended.
  'they are not listed': ({ client }: Scene) =>
    write('DELETE FROM client_users WHERE client_id = $1', [client.id]),
  'they are disabled': ({ person }: Scene) => disableUser(person.user.id, cli, new Date()),
  'the app is disabled': ({ client }: Scene) => disableClient(client.id, cli, new Date()),
  'the app has networks, and they are elsewhere': async ({ client, person }: Scene) => {
    await updateClient(client.id, { networks }, { actor: cli, now: new Date() });
    person.address = '203.0.113.9';
  },
  'the app requires a second factor': ({ client }: Scene) =>
    updateClient(client.id, { requireSecondFactor: true }, { actor: cli, now: new Date() }),
  'this server requires a second factor of them': ({ person }: Scene) =>
    requireSecondFactor(person.user.id, true, cli, new Date()),
  'their sign-in is too old': async ({ client, api = client, person }: Scene) => {
    for (const { id } of [client, api])
      await updateClient(id, { maxSignInAge: 60 }, { actor: cli, now: new Date() });
    await signedInLongAgo(person.user.id);
  },
  'their sign-in is over': async ({ client, person }: Scene) => {
    await updateClient(client.id, { signInLife: 60 }, { actor: cli, now: new Date() });
    await signedInLongAgo(person.user.id);
  },
  'they have not agreed to terms of use': ({ client }: Scene) =>
    createTerms(
      { name: unique('terms'), texts: { any: 'Be kind.' }, days: 0, clientId: client.id },
      cli,
      new Date(),
    ),
  'admins refused the app': async ({ client, person }: Scene) => {
    await write("UPDATE clients SET origin = 'registration' WHERE id = $1", [client.id]);
    await write(
      `INSERT INTO client_requests (client_id, origin, name, host, user_id, asked_at, decision, decided_at)
        VALUES ($1, 'registration', 'App', 'app.example', $2, CAST($3 AS TIMESTAMPTZ), 'refused', CAST($3 AS TIMESTAMPTZ))`,
      [client.id, person.user.id, new Date()],
    );
    await write('UPDATE revision SET value = value + 1', []);
  },
} as const;
export type Reason = keyof typeof reasons;

async function signedInLongAgo(userId: string): Promise<void> {
  const then = new Date(Date.now() - 3600_000);
  for (const table of ['authorizations', 'sessions'])
    await write(`UPDATE ${table} SET auth_time = $2 WHERE user_id = $1`, [userId, then]);
}
