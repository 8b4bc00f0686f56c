import { closeStore } from '#lib/store/engine/database.ts';
import { createDatabase, newLogFile } from '../support/database.ts';
import setUp from '../support/global-setup.ts';
import type { House } from '../support/house.ts';
import { type Page, Person } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { newUser, password } from '../support/seed.ts';
import { sharedEnv, startServer } from '../support/server.ts';

/*
 * How often the right password gets in while 120 wrong ones are tried at the same time: from a
 * browser that has signed in before, and from one that has not. The wrong ones come from 120
 * addresses, or each time from a new one. Run with: node tests/bench/sign-in-flood.ts [SECONDS]
 */
const seconds = Number(process.argv[2] ?? 15);
const connections = 120;

const leave = await setUp();
for (const kind of ['120 addresses', 'a new address each time'] as const) {
  const databaseUrl = await createDatabase('sqlite');
  const env = { BCRYPT_COST: '10', LOG_LEVEL: 'error' };
  const logFile = newLogFile('flood');
  const server = await startServer({ mount: 'direct', databaseUrl, logFile, env });
  Object.assign(process.env, sharedEnv, env, {
    DATABASE_URL: databaseUrl,
    ISSUER: server.origin,
    LOG_LEVEL: 'silent',
  });
  await flood({ base: `http://127.0.0.1:${server.port}`, issuer: server.origin } as House, kind);
  await server.stop();
  await closeStore();
  for (const symbol of Object.getOwnPropertySymbols(globalThis))
    if (symbol.description?.startsWith('gatehouse.')) Reflect.deleteProperty(globalThis, symbol);
}
await leave();

async function flood(house: House, kind: string): Promise<void> {
  const known = new Person(house, (await newUser()).username);
  await known.signIn();
  const unknown = new Person(house, (await newUser()).username);
  const opener = new Person(house);
  const form = await opener.open('/login');
  const forms = new Map([known, unknown, opener].map((each) => [each, form]));
  for (const each of [known, unknown]) {
    each.cookies.delete('gh_session');
    forms.set(each, await each.open('/login'));
  }
  const until = Date.now() + seconds * 1000;
  const outcomes = { wrong: 0, busy: 0 };
  const guessing = Array.from({ length: connections }, async (_, index) => {
    for (let each = 0; Date.now() < until; each += 1) {
      const person = new Person(house, `nobody-${index}-${each}`);
      if (kind === '120 addresses') person.address = `198.18.0.${index}`;
      for (const [name, value] of opener.cookies) person.cookies.set(name, value);
      const outcome = await post(person, form, 'a wrong one');
      outcomes[outcome === 'busy' ? 'busy' : 'wrong'] += 1;
    }
  });
  const [byKnown, byUnknown] = await Promise.all([enter(known), enter(unknown), ...guessing]);
  const rows = await (await prisma()).throttle.count();
  console.log(
    `${kind}, ${seconds} s: known browser in ${byKnown}, unknown browser in ${byUnknown}; the others ${outcomes.wrong} looked at or refused, ${outcomes.busy} busy; ${rows} throttle rows left`,
  );

  async function enter(person: Person): Promise<string> {
    const times: number[] = [];
    let tries = 0;
    for (; Date.now() < until; tries += 1) {
      const start = Date.now();
      const outcome = await post(person, forms.get(person) ?? form, password);
      if (outcome === 'in') times.push(Date.now() - start);
      person.cookies.delete('gh_session');
      await new Promise((resume) => setTimeout(resume, 500));
    }
    const median = times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)];
    return `${times.length} of ${tries} times (median ${median ?? '-'} ms)`;
  }
}

async function post(person: Person, page: Page, word: string): Promise<'in' | 'out' | 'busy'> {
  const fields = { username: person.username, password: word };
  const visit = { method: 'POST', ...person.postOf(page, '/login/submit', fields) };
  const response = await person.request('/login/submit', visit);
  await response.arrayBuffer();
  if (response.status === 503) return 'busy';
  return response.headers.get('location') === '/account' ? 'in' : 'out';
}
