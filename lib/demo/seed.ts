import { randomUUID } from 'node:crypto';
import { config } from '../config.ts';
import { nothingKnown } from '../http/message.ts';
import { beginSession } from '../identity/session.ts';
import { ensureSigningKeys } from '../identity/signing.ts';
import { ensureTokenKeys } from '../identity/token-keys.ts';
import { createClient } from '../management/client/clients.ts';
import { createScope } from '../management/scope/scopes.ts';
import { createUser, disableUser, setAdmin } from '../management/user/users.ts';
import { digest } from '../oauth/secrets.ts';
import { closeStore } from '../store/engine/database.ts';
import { touchLastUse } from '../store/usage.ts';
import { findUserByLogin } from '../store/users.ts';
import { applyMigrations } from '../tooling/migrate.ts';
import { admin, apps, people, scopes } from './cast.ts';
import { Chance } from './chance.ts';
import { countWeekBefore, formGroups, setUpFactors } from './circles.ts';
import { addCrowd, addMoreApps } from './crowd.ts';
import { sizeSaid } from './size.ts';
import { liveAWeek } from './week.ts';

/**
 * Fills the demo's database, and prints the cookie of a browser in which its admin is signed in.
 */
const now = new Date();
const password = process.env.DEMO_PASSWORD ?? '';
const daysAgo = (days: number) => new Date(now.getTime() - days * 24 * 3600_000);

await applyMigrations(config().databaseUrl);
await ensureSigningKeys(now);
await ensureTokenKeys(now);
const { id } = await createUser(
  { ...admin, password, admin: true, emailVerified: true },
  { id: 'cli' },
  daysAgo(90),
);
const actor = { id };
for (const scope of scopes) await createScope(scope, actor, daysAgo(89));
const secrets: string[] = [];
for (const [index, { asks: _, trouble: __, ...app }] of apps.entries()) {
  const { secret } = await createClient(app, actor, daysAgo(88 - index * 4));
  if (secret !== null) secrets.push(secret);
}
const chance = new Chance(42);
const cast = people(79).map((person) => ({ ...person, joined: daysAgo(chance.between(8, 80)) }));
// One at a time: passwords are hashed in a queue that refuses requests when it is full.
for (const { verified: emailVerified, joined, ...person } of cast)
  await createUser({ ...person, password, emailVerified }, actor, joined);
await formGroups(cast, actor, daysAgo(7));
await setUpFactors(cast, daysAgo(7));
countWeekBefore(now);
await liveAWeek(cast, now);
for (const secret of secrets) touchLastUse('client_secrets', digest(secret), now);
await setAdmin('grace.hopper', true, actor, daysAgo(6));
await disableUser('evelyn.dijkstra', actor, daysAgo(2));
const size = sizeSaid({ people: process.env.DEMO_PEOPLE, apps: process.env.DEMO_APPS });
const crowd = { password, actor, now };
await addCrowd(people(size.people - 1).slice(cast.length), crowd);
await addMoreApps(size.apps - apps.length, crowd);
const made = { cookie: await signInAdmin(), ...size };
process.stdout.write(`${JSON.stringify(made)}\n`);
await closeStore();

async function signInAdmin(): Promise<string> {
  const user = await findUserByLogin(admin.username);
  const request = {
    method: 'GET',
    path: '/',
    query: '',
    id: randomUUID(),
    address: '127.0.0.1',
    isShared: false,
    header: () => undefined,
    repeatsAuthorization: () => false,
    body: async () => new Uint8Array(),
    about: nothingKnown(),
  };
  const session = user && (await beginSession(request, user, { amr: 'pwd', brief: false }, now));
  if (!session) throw new Error('The demo admin cannot sign in.');
  return session.cookies[0] ?? '';
}
