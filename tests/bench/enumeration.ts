import { config } from '#lib/config.ts';
import { closeStore } from '#lib/store/engine/database.ts';
import { createDatabase, newLogFile } from '../support/database.ts';
import setUp from '../support/global-setup.ts';
import type { House } from '../support/house.ts';
import { MailServer } from '../support/mail-server.ts';
import { type Page, Person } from '../support/person.ts';
import { newUser, type TestUser } from '../support/seed.ts';
import { sharedEnv, startServer } from '../support/server.ts';

/*
 * Whether time tells known accounts from unknown ones: sign-in, recovery and registration, each tried
 * 200 times with both in random order, one after the other. Prints the medians; they should lie
 * within a tenth of each other. Run with: node tests/bench/enumeration.ts [TRIES] [CASE]
 */
const tries = Number(process.argv[2] ?? 200);

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

for (const each of cases.filter(({ name }) => name.includes(process.argv[3] ?? ''))) {
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  const kinds = shuffled([...Array(tries).fill('known'), ...Array(tries).fill('unknown')] as (
    | 'known'
    | 'unknown'
  )[]);
  for (const kind of kinds) times[kind].push(await timeOf(each, kind));
  const [known, unknown] = [median(times.known), median(times.unknown)];
  const apart = (100 * Math.abs(known - unknown)) / Math.min(known, unknown);
  console.log(
    `${each.name.padEnd(21)} known ${known.toFixed(2)} ms, unknown ${unknown.toFixed(2)} ms, ${apart.toFixed(1)} % apart`,
  );
}

await closeStore();
await server.stop();
await smtp.stop();
await leave();

/** Each try is somebody else's, from somewhere else: no throttle has a part in it. */
async function timeOf(
  { page, action, fields, madeAt = 10 }: Case,
  kind: 'known' | 'unknown',
): Promise<number> {
  config().bcryptCost = madeAt;
  const user = await newUser();
  const subject =
    kind === 'known'
      ? user
      : { ...user, username: `x${user.username.slice(1)}`, email: `x${user.email.slice(1)}` };
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

function median(times: number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
}

function shuffled<T>(list: T[]): T[] {
  return list
    .map((value) => ({ value, key: Math.random() }))
    .sort((one, other) => one.key - other.key)
    .map(({ value }) => value);
}
