import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { makeBcrypt } from '#lib/identity/hashes/bcrypt.ts';
import { storedForm } from '#lib/identity/hashes/stored.ts';
import { csrfOf } from '#lib/sealed/browser.ts';
import { cookieName } from '#lib/sealed/cookies.ts';
import { closeStore, write } from '#lib/store/engine/database.ts';
import { createDatabase, newLogFile } from '../../support/database.ts';
import setUp from '../../support/global-setup.ts';
import { MailServer } from '../../support/mail-server.ts';
import type { TestServer } from '../../support/open-server.ts';
import { Person } from '../../support/person.ts';
import { newUser } from '../../support/seed.ts';
import { startServer } from '../../support/server.ts';
import { sharedEnv } from '../../support/shared-env.ts';
import { friedman, median, middleOf, quantile } from './statistics.ts';

/*
 * Whether response times reveal who has an account, or whose password hash was imported. Each form
 * that takes a name is sent TRIES times, one after another, in blocks. Each block has one try for
 * each group of names, in random order. Friedman's test says whether the groups differ (p below one
 * in a thousand). For each group, the median difference from unknown names is given with its 95 %
 * interval: a difference outside of it would have been detected. Run with:
 * npm run bench:enumeration -- [TRIES] [FORM] [FILE for all times as CSV]
 * Passwords are hashed at a small part of today's usual cost, so that the machine's noise hides
 * less. It exits with 1 if groups differ.
 */
const tries = Number(process.argv[2] ?? 2000);
const wanted = process.argv[3] ?? '';
const file = process.argv[4];
/** The first blocks do not count, because the server has not compiled everything yet. */
const warmUp = 20;
const cost = 5;

const random = (bytes: number) => randomBytes(bytes).toString('base64').replace(/=+$/, '');
const letters = (count: number) =>
  Array.from(randomBytes(count), (byte) => 'abcdefghijkmnopqrstuvwxyzABCDEFG'[byte % 32]).join('');

/**
 * The stored password hash for each group; null for none. No password that is sent is ever right.
 */
const kinds = {
  own: () => makeBcrypt('x', cost),
  'own, cheaper': () => makeBcrypt('x', cost - 1),
  'own, dearer': () => makeBcrypt('x', cost + 1),
  bcrypt: () => makeBcrypt('x', cost).slice('v1:'.length),
  argon2id: () => `$argon2id$v=19$m=1024,t=2,p=1$${random(16)}$${random(32)}`,
  scrypt: () => `$scrypt$ln=10,r=8,p=1$${random(16)}$${random(32)}`,
  'pbkdf2-sha512': () => `$pbkdf2-sha512$5000$${random(16)}$${random(64)}`,
  'sha-crypt': () => `$6$rounds=1000$${letters(16)}$${letters(86)}`,
  phpass: () => `$P$8${letters(8)}${letters(22)}`,
  ssha: () => `{SSHA}${randomBytes(28).toString('base64')}`,
  'no password': () => null,
  disabled: () => makeBcrypt('x', cost),
} satisfies Record<string, () => string | null>;
type Kind = keyof typeof kinds;
type Group = Kind | 'unknown';

/** The forms, and the groups of names that each form is sent with. */
const few: readonly Group[] = ['own', 'pbkdf2-sha512', 'no password', 'disabled', 'unknown'];
const forms: {
  name: string;
  action: string;
  fields: (name: string) => Record<string, string>;
  groups: readonly Group[];
}[] = [
  {
    name: 'sign-in',
    action: '/login/submit',
    fields: (username) => ({ username, password: 'a wrong one' }),
    groups: [...(Object.keys(kinds) as Kind[]), 'unknown'],
  },
  {
    name: 'code',
    action: '/login/code/send',
    fields: (username) => ({ username }),
    groups: few,
  },
  {
    name: 'recovery',
    action: '/recover/submit',
    fields: (username) => ({ username }),
    groups: few,
  },
  {
    name: 'registration',
    action: '/register/submit',
    fields: (username) => ({ email: `${username}@example.com` }),
    groups: few,
  },
];

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
    MAIL_CODE: 'on',
    BCRYPT_COST: String(cost),
    LOG_LEVEL: 'warn',
    PROOF_OF_WORK: 'off',
  },
});
Object.assign(process.env, sharedEnv, {
  DATABASE_URL: databaseUrl,
  ISSUER: server.origin,
  LOG_LEVEL: 'silent',
});
const gatehouse = { base: `http://127.0.0.1:${server.port}`, issuer: server.origin } as TestServer;

const lines = ['form,block,group,milliseconds'];
let differs = false;
for (const form of forms.filter(({ name }) => name.includes(wanted))) {
  const { groups } = form;
  const blocks = await measured(form, Math.ceil(tries / groups.length));
  for (const [at, block] of blocks.entries())
    for (const [index, time] of block.entries())
      lines.push(`${form.name},${at},${groups[index]},${time.toFixed(3)}`);
  report(form.name, groups, blocks);
}
if (file) writeFileSync(file, `${lines.join('\n')}\n`);

await closeStore();
await server.stop();
await smtp.stop();
await leave();
process.exitCode = differs ? 1 : 0;

/** How long each try of a form took, in milliseconds, by block and group. */
async function measured(form: (typeof forms)[number], count: number): Promise<number[][]> {
  const { groups } = form;
  // All users are stored before the first try, so that meanwhile only the tries change the
  // database.
  const names = new Map<Group, string[]>();
  for (const group of groups) names.set(group, await makePeople(group, count + warmUp));
  const blocks: number[][] = [];
  for (let at = 0; at < count + warmUp; at += 1) {
    const block: number[] = [];
    for (const index of shuffled(groups.map((_, place) => place))) {
      const name = names.get(groups[index] ?? 'unknown')?.[at] ?? '';
      block[index] = await timeOf(form.action, form.fields(name));
    }
    if (at >= warmUp) blocks.push(block);
  }
  return blocks;
}

/** User names of a group, each for one try. */
async function makePeople(group: Group, count: number): Promise<string[]> {
  const names: string[] = [];
  // Hashing a password for each user would take longer than the tries. A few hashes with the same
  // parameters cost the server the same.
  const texts = group === 'unknown' ? [] : Array.from({ length: 5 }, kinds[group]);
  for (let at = 0; at < count; at += 1) {
    if (group === 'unknown') {
      names.push(`person-${randomBytes(6).toString('hex')}`);
      continue;
    }
    const { id, username } = await newUser();
    const text = texts[at % texts.length] ?? null;
    await write(
      'UPDATE users SET password_hash = :hash, disabled_at = :disabledAt WHERE id = :id',
      {
        id,
        hash: text === null ? null : storedForm(text),
        disabledAt: group === 'disabled' ? new Date() : null,
      },
    );
    names.push(username);
  }
  return names;
}

/** Each try comes from a new browser at a new address, so that no throttle interferes. */
async function timeOf(action: string, fields: Record<string, string>): Promise<number> {
  const person = new Person(gatehouse);
  const browser = randomBytes(32).toString('base64url');
  person.cookies.set(cookieName('browser'), browser);
  const body = new URLSearchParams({ ...fields, csrf: csrfOf(browser) }).toString();
  const headers = { Origin: gatehouse.issuer, 'Sec-Fetch-Site': 'same-origin' };
  const start = process.hrtime.bigint();
  const response = await person.request(action, { method: 'POST', body, headers });
  await response.arrayBuffer();
  const taken = Number(process.hrtime.bigint() - start) / 1e6;
  if (response.status !== 303) throw new Error(`${action} answered ${response.status}.`);
  return taken;
}

function report(form: string, groups: readonly Group[], blocks: readonly number[][]): void {
  const { chi2, p } = friedman(blocks);
  const verdict = p < 0.001 ? 'TIME TELLS' : 'no difference seen';
  differs ||= p < 0.001;
  const count = blocks.length * groups.length;
  console.log(
    `\n${form}: ${count} tries, ${verdict} (Friedman: chi-square ${chi2.toFixed(1)}, p ${p.toPrecision(2)})`,
  );
  const of = (group: Group) => blocks.map((block) => block[groups.indexOf(group)] ?? Number.NaN);
  const unknown = of('unknown');
  for (const group of groups) {
    const times = of(group);
    const apart = times.map((time, at) => time - (unknown[at] ?? Number.NaN));
    const { middle, from, to } = middleOf(apart);
    const slower = apart.filter((difference) => difference > 0).length / apart.length;
    const told = [
      group.padEnd(14),
      `a tenth within ${quantile(times, 0.1).toFixed(2)} ms`,
      `median ${median(times).toFixed(2)} ms`,
      group === 'unknown'
        ? ''
        : `${signed(middle)} ms from unknown (${signed(from)} to ${signed(to)}), slower in ${(100 * slower).toFixed(1)} %`,
    ];
    console.log(`  ${told.join('  ')}`);
  }
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;
}

function shuffled<T>(list: T[]): T[] {
  return list
    .map((value) => ({ value, key: Math.random() }))
    .sort((one, other) => one.key - other.key)
    .map(({ value }) => value);
}
