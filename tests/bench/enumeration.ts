import { config } from '#lib/config.ts';
import { storedForm } from '#lib/identity/hashes/stored.ts';
import { closeStore, write } from '#lib/store/engine/database.ts';
import { originals } from '../identity/hashes/originals.ts';
import { createDatabase, newLogFile } from '../support/database.ts';
import setUp from '../support/global-setup.ts';
import type { House } from '../support/house.ts';
import { MailServer } from '../support/mail-server.ts';
import { type Page, Person } from '../support/person.ts';
import { newUser, type TestUser } from '../support/seed.ts';
import { sharedEnv, startServer } from '../support/server.ts';

/*
 * Whether time tells accounts from names that nobody has: sign-in, recovery and registration, each
 * tried 200 times for our own accounts, for some that came from elsewhere with their passwords, and for
 * unknown names, in random order, one after the other. Prints the medians; they should lie within a
 * tenth of each other. Run with: npm run bench:enumeration -- [TRIES] [CASE]; what is claimed in
 * docs/decisions/0035-passwords-from-elsewhere.md is looked for with 10000 tries.
 */
const tries = Number(process.argv[2] ?? 200);
let attempts = 0;

const leave = await setUp();
const smtp = await MailServer.start();
const databaseUrl = await createDatabase('sqlite');
const server = await startServer({
  mount: 'direct',
  databaseUrl,
  logFile: newLogFile('enumeration'),
  env: {
    MAIL_URL: smtp.url,
    REGISTRATION: 'open',
    BCRYPT_COST: '10',
    LOG_LEVEL: 'warn',
    PROOF_OF_WORK: 'off',
  },
});
Object.assign(process.env, sharedEnv, {
  DATABASE_URL: databaseUrl,
  ISSUER: server.origin,
  LOG_LEVEL: 'silent',
});
process.env.BCRYPT_COST = '10';
const house = { base: `http://127.0.0.1:${server.port}`, issuer: server.origin } as House;

type Case = {
  name: string;
  page: string;
  action: string;
  fields: (user: TestUser) => Record<string, string>;
  /** What the passwords of known accounts cost when they were made; by default what they cost now. */
  madeAt?: number;
};
const signIn = {
  page: '/login',
  action: '/login/submit',
  fields: ({ username }: TestUser) => ({ username, password: 'a wrong one' }),
};
const cases: Case[] = [
  { name: 'sign-in', ...signIn },
  { name: 'sign-in, cost was 4', ...signIn, madeAt: 4 },
  {
    name: 'recovery',
    page: '/recover',
    action: '/recover/submit',
    fields: ({ username }) => ({ username }),
  },
  {
    name: 'registration',
    page: '/register',
    action: '/register/submit',
    fields: ({ email }) => ({ email }),
  },
  // Last: a dear password makes every try as dear.
  { name: 'sign-in, cost was 12', ...signIn, madeAt: 12 },
];

const whose = ['own', 'imported', 'unknown'] as const;
type Whose = (typeof whose)[number];

/** Passwords as Keycloak and argon2-cffi keep them: nobody's, since none is right. */
const foreign = [
  `$pbkdf2-sha512$210000$${'c2FsdHNhbHRzYWx0c2FsdA'}$${Buffer.alloc(64, 1).toString('base64').replace(/=+$/, '')}`,
  originals['argon2-cffi argon2id'] ?? '',
].map(storedForm);
// From the first try on each costs what all of them take.
for (const hash of foreign) await keepForeign(await newUser(), hash);

for (const each of cases.filter(({ name }) => name.includes(process.argv[3] ?? ''))) {
  const times: Record<Whose, number[]> = { own: [], imported: [], unknown: [] };
  const turns = shuffled(whose.flatMap((kind) => Array<Whose>(tries).fill(kind)));
  for (const kind of turns) times[kind].push(await timeOf(each, kind));
  const medians = whose.map((kind) => median(times[kind]));
  const [least, most] = [Math.min(...medians), Math.max(...medians)];
  const told = whose.map((kind, at) => `${kind} ${(medians[at] ?? 0).toFixed(2)} ms`);
  const apart = (100 * (most - least)) / least;
  console.log(`${each.name.padEnd(21)} ${told.join(', ')}, ${apart.toFixed(1)} % apart`);
}

await closeStore();
await server.stop();
await smtp.stop();
await leave();

/** Each try is somebody else's, from somewhere else: no throttle has a part in it. */
async function timeOf({ page, action, fields, madeAt = 10 }: Case, kind: Whose): Promise<number> {
  config().bcryptCost = madeAt;
  const user = await newUser();
  if (kind === 'imported') await keepForeign(user, foreign[attempts % foreign.length] ?? '');
  attempts += 1;
  const subject =
    kind === 'unknown'
      ? { ...user, username: `x${user.username.slice(1)}`, email: `x${user.email.slice(1)}` }
      : user;
  const person = new Person(house);
  const opened: Page = await person.open(page);
  const { body, headers } = person.postOf(opened, action, fields(subject));
  const start = process.hrtime.bigint();
  const response = await person.request(action, { method: 'POST', body, headers });
  await response.arrayBuffer();
  const taken = Number(process.hrtime.bigint() - start) / 1e6;
  if (response.status !== 303) throw new Error(`${action} answered ${response.status}.`);
  return taken;
}

/** Gives somebody the password that they had elsewhere. */
async function keepForeign({ id }: TestUser, passwordHash: string): Promise<void> {
  await write('UPDATE users SET password_hash = :passwordHash WHERE id = :id', {
    id,
    passwordHash,
  });
}

function median(times: number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
}

function shuffled<T>(list: T[]): T[] {
  return list
    .map((value) => ({ value, key: Math.random() }))
    .sort((one, other) => one.key - other.key)
    .map(({ value }) => value);
}
