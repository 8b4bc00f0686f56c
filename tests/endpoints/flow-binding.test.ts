import { describe, expect, test } from 'vitest';
import { newPendingRequest, sealPendingRequest } from '#lib/interaction/pending-request.ts';
import { redeem } from '../support/app.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import {
  answerOf,
  authorizePath,
  forgetSentForms,
  newPerson,
  type Page,
  Person,
} from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import { newClient, newUser } from '../support/seed.ts';

const server = await openServer();
const person = await newPerson(server);
const client = await newClient();
const request = { client_id: client.id, response_type: 'code', state: 'S' };
const again = { ...request, prompt: 'consent' };

const flowOf = (page: Page) => new URL(page.at, server.base).searchParams.get('flow') ?? '';
const flowPages = [
  '/login',
  '/switch',
  '/consent',
  '/no-access',
  '/oauth/continue',
  '/oauth/cancel',
];

function expectErrorPage(page: Page, status = 400): void {
  expect([page.status, page.headers.get('location')]).toEqual([status, null]);
  expect(page.headers.get('content-type')).toMatch(/^text\/html/);
}

describe('a pending authorization request is bound to its browser (section 3)', () => {
  test.each(flowPages)(
    '%s shows an error page in another browser, signed in or not',
    async (path) => {
      const flow = flowOf(await person.open(authorizePath(again)));
      for (const other of [new Person(server), await newPerson(server)]) {
        expectErrorPage(await other.open(`${path}?flow=${flow}`));
      }
    },
  );

  test('its forms are refused in another browser', async () => {
    const page = await person.open(authorizePath(again));
    const other = await newPerson(server);
    const theirs = await other.open(authorizePath(again));
    for (const action of ['/consent/submit', '/switch/submit']) {
      expectErrorPage(
        await other.submit(theirs, action, { flow: flowOf(page), decision: 'allow' }),
      );
    }
    const login = await new Person(server).open(authorizePath(request));
    const outsider = new Person(server, person.username);
    const own = await outsider.open('/login');
    expectErrorPage(
      await outsider.submit(own, '/login/submit', {
        username: person.username,
        password: 'x',
        flow: flowOf(login),
      }),
    );
  });

  test.each(flowPages)(
    '%s shows an error page for a flow value that is missing, changed or too long',
    async (path) => {
      const flow = flowOf(await person.open(authorizePath(again)));
      const changed = `${flow.slice(0, -2)}${flow.at(-2) === 'A' ? 'B' : 'A'}${flow.slice(-1)}`;
      for (const wrong of ['', 'nonsense', changed, flow.slice(1), 'x'.repeat(9000)]) {
        const page = await person.open(`${path}?flow=${wrong}`);
        if (path === '/login' && wrong === '') continue;
        expectErrorPage(page);
      }
    },
  );

  test('the browser cookie is set once, with HttpOnly and SameSite=Lax', async () => {
    const fresh = new Person(server);
    const first = await fresh.request(authorizePath(request));
    const [cookie = ''] = first.headers.getSetCookie().filter((line) => line.includes('browser'));
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/);
    const second = await fresh.request(authorizePath(request));
    expect(second.headers.getSetCookie().filter((line) => line.includes('browser'))).toEqual([]);
  });

  test('is not stored in the database', async () => {
    const db = await prisma();
    const own = await newClient();
    const events = () => db.auditEvent.count({ where: { clientId: own.id } });
    await new Person(server).open(authorizePath({ ...request, client_id: own.id }));
    expect(await events()).toBe(0);
    expect(await db.grant.count({ where: { clientId: own.id } })).toBe(0);
    expect(await db.authorization.count({ where: { clientId: own.id } })).toBe(0);
  });

  test('its flow value does not reveal its content', async () => {
    const login = await new Person(server).open(authorizePath(request));
    const parts = flowOf(login)
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString('latin1'));
    expect(parts.join()).not.toContain(client.id);
  });
});

describe('an authorization request yields at most one code', () => {
  test('when the consent form is sent twice', async () => {
    const page = await person.open(authorizePath(again));
    const code = answerOf(await person.decide(page, 'allow')).code ?? '';
    expect(answerOf(await person.decide(page, 'allow')).code).toBe(code);
    await forgetSentForms();
    expectErrorPage(await person.decide(page, 'allow'));
    expect((await redeem(server, client, code)).status).toBe(200);
  });

  test('when the browser goes back into the request after its code', async () => {
    const outsider = new Person(server, person.username);
    const login = await outsider.open(authorizePath(request));
    const answer = await outsider.signInAt(login);
    expect(answerOf(answer).code).toBeDefined();
    for (const path of ['/oauth/continue', '/login']) {
      const page = await outsider.open(login.at.replace('/login', path));
      expect(page.at).not.toMatch('code=');
    }
    expectErrorPage(await outsider.signInAt(login));
  });

  test('when the consent form is sent twenty times at the same time', async () => {
    const page = await person.open(authorizePath(again));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => person.decide(page, 'allow')),
    );
    expect([...new Set(answers.map(({ at }) => at))]).toEqual([expect.stringContaining('code=')]);
  });
});

describe('an authorization request in ordinary use of a browser', () => {
  test('works in several tabs side by side', async () => {
    const one = await newClient();
    const two = await newClient();
    const outsider = new Person(server, (await newUser()).username);
    const loginOne = await outsider.open(
      authorizePath({ ...request, client_id: one.id, state: '1' }),
    );
    const loginTwo = await outsider.open(
      authorizePath({ ...request, client_id: two.id, state: '2' }),
    );
    const consentTwo = await outsider.signInAt(loginTwo);
    const consentOne = await outsider.open(loginOne.at.replace('/login', '/oauth/continue'));
    expect(answerOf(await outsider.decide(consentOne, 'allow')).state).toBe('1');
    expect(answerOf(await outsider.decide(consentTwo, 'allow')).state).toBe('2');
  });

  test('survives reload and the back button on sign-in and consent pages', async () => {
    const outsider = new Person(server, (await newUser()).username);
    const login = await outsider.open(authorizePath(request));
    await outsider.open(login.at);
    const consent = await outsider.signInAt(await outsider.open(login.at));
    await outsider.open(consent.at);
    await outsider.open(login.at);
    expect(answerOf(await outsider.decide(await outsider.open(consent.at), 'allow')).state).toBe(
      'S',
    );
  });

  test('survives a wrong password', async () => {
    const outsider = new Person(server, person.username);
    const login = await outsider.open(authorizePath(request));
    const refused = await outsider.signInAt(login, person.username, 'wrong');
    expect(refused.at).toBe(login.at);
    expect(answerOf(await outsider.signInAt(refused))).toMatchObject({
      code: expect.any(String),
      state: 'S',
    });
  });

  test('is refused when its redirect_uri is no longer registered after sign-in', async () => {
    const own = await newClient();
    const login = await new Person(server).open(authorizePath({ ...request, client_id: own.id }));
    expect(login.at).toMatch('/login');
    const outsider = new Person(server, person.username);
    const page = await outsider.open(
      authorizePath({ ...request, client_id: own.id, redirect_uri: own.redirectUri }),
    );
    const db = await prisma();
    await db.clientAddress.updateMany({
      where: { clientId: own.id },
      data: { uri: 'https://moved.example/cb' },
    });
    await db.revision.update({ where: { id: 1 }, data: { value: Date.now() } });
    expectErrorPage(await outsider.signInAt(page));
  });
});

describe('an expired authorization request (after one hour)', () => {
  const hourAgo = new Date(Date.now() - 3601_000);
  const browserOf = (who: Person) =>
    [...who.cookies].find(([name]) => name.endsWith('browser'))?.[1] ?? '';
  const expired = (who: Person, startedAt = hourAgo) => {
    const params = new Map(Object.entries(again).map(([name, value]) => [name, [value]]));
    return sealPendingRequest(
      newPendingRequest(
        { params, redirectUri: client.redirectUri, browser: browserOf(who) },
        startedAt,
      ),
    );
  };

  test.each(['/login', '/consent', '/no-access', '/oauth/continue'])(
    '%s offers to try again, which runs it as a new request',
    async (path) => {
      const page = await person.open(`${path}?flow=${await expired(person)}`);
      expect(page.at).toMatch('/expired?flow=');
      expect(textOf(page.html)).toMatch(/again/i);
      const href =
        /href="(\/oauth\/continue\?flow=[^"]+)"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&') ??
        '';
      const again = await person.open(href);
      expect(again.at).toMatch('/consent?flow=');
      expect(answerOf(await person.decide(again, 'allow')).state).toBe('S');
    },
  );

  test('is not answered by the consent form or by cancel', async () => {
    const page = await person.open(authorizePath(again));
    const flow = await expired(person);
    expect((await person.submit(page, '/consent/submit', { decision: 'allow', flow })).at).toMatch(
      '/expired?flow=',
    );
    expect((await person.open(`/oauth/cancel?flow=${flow}`)).at).toMatch('/expired?flow=');
  });

  test('has not expired ten seconds before the hour', async () => {
    const flow = await expired(person, new Date(Date.now() - 3590_000));
    expect((await person.open(`/oauth/continue?flow=${flow}`)).at).toMatch('/consent?flow=');
  });

  test('shows an error page in another browser', async () => {
    const other = await newPerson(server);
    await other.open(authorizePath(request));
    expectErrorPage(await other.open(`/oauth/continue?flow=${await expired(person)}&again=1`));
    expectErrorPage(await new Person(server).open(`/login?flow=${await expired(person)}`));
  });
});

describe('the size of a request', () => {
  test('one that needs more than 8,000 sealed characters is invalid_request', async () => {
    const page = await new Person(server).open(
      authorizePath({ ...request, state: 'x'.repeat(4096), login_hint: 'y'.repeat(4000) }),
    );
    expect(answerOf(page).error).toBe('invalid_request');
  });
});
