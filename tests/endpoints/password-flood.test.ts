import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { en } from '#lib/messages/compiled/en.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import { type Page, Person, postSignIn } from '../support/person.ts';
import { newUser, password } from '../support/seed.ts';
import { set } from '../support/settings.ts';
import { solve } from '../support/work.ts';

const server = await openServer({ BCRYPT_COST: '11' });
const submit = '/login/submit';
const asked = 'many passwords wait: unknown browsers need a proof of work now';

// `next start` takes so long for each post that the queue seldom fills.
describe.skipIf(server.mount === 'next')('while passwords of unknown browsers wait long', () => {
  /** Opened the page before the flood. */
  const early = new Person(server);
  let opened: Page;
  let known: Person;
  let username: string;
  let flood: Promise<unknown>[] = [];

  beforeAll(async () => {
    ({ username } = await newUser());
    opened = await early.open('/login');
    known = new Person(server, username);
    await known.signIn();
    await known.signOut();
    flood = Array.from({ length: 60 }, (_, each) =>
      postSignIn(new Person(server), `nobody-${each}`, 'wrong'),
    );
    await vi.waitUntil(() => readFileSync(server.logFile, 'utf8').includes(asked), 30_000);
  });
  afterAll(() => Promise.all(flood));

  test('an unknown browser is let in with work, which counts once', async () => {
    const person = new Person(server);
    const page = await person.open('/login');
    expect(page.html).toContain('/work.js');
    const work = await solve(page, submit);
    const wrong = await person.submit(page, submit, { username, password: 'wrong', ...work });
    expect(textOf(wrong.html)).toContain(en['signIn.wrong']);
    // Its first address waits from now on with those that failed.
    person.address = new Person(server).address;
    const again = await person.submit(page, submit, {
      username,
      password: ` ${password}`,
      ...work,
    });
    expect(textOf(again.html)).toContain(en['signIn.work']);
    const next = await solve(again, submit);
    expect((await person.submit(again, submit, { username, password, ...next })).at).toBe(
      '/account',
    );
  });

  test('a form opened before is shown again with the name and the work', async () => {
    const page = await early.submit(opened, submit, { username, password });
    expect(textOf(page.html)).toContain(en['signIn.work']);
    expect(page.html).toContain(`value="${username}"`);
    const work = await solve(page, submit);
    expect((await early.submit(page, submit, { username, password, ...work })).at).toBe('/account');
  });

  test('work with a wrong number, or of another browser, is no work', async () => {
    const [person, thief] = [new Person(server), new Person(server)];
    const page = await person.open('/login');
    const theirs = await thief.open('/login');
    const work = await solve(page, submit);
    for (const [who, form, fields] of [
      [thief, theirs, work],
      [person, page, { ...work, proof: '-1' }],
    ] as const) {
      const answer = await who.submit(form, submit, { username, password, ...fields });
      expect(textOf(answer.html)).toContain(en['signIn.work']);
    }
  });

  test('a browser without scripts waits in the queue, and gets in', async () => {
    const person = new Person(server, username);
    const page = await person.open('/login');
    expect(textOf(page.html)).toContain(en['signIn.workNoScript']);
    expect((await person.signInAt(page)).at).toBe('/account');
  });

  test('a known browser neither does work nor loads its script', async () => {
    const page = await known.open('/login');
    expect(page.html).not.toMatch(/data-work|work\.js/);
    expect((await known.signInAt(page)).at).toBe('/account');
  });

  test('no work is asked for if the operator wants none', async () => {
    await set('PROOF_OF_WORK', 'off');
    const person = new Person(server, username);
    const page = await person.open('/login');
    expect(page.html).not.toMatch(/data-work|work\.js/);
    expect((await person.signInAt(page)).at).toBe('/account');
    await set('PROOF_OF_WORK', null);
  });
});
