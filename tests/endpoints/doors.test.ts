import { beforeAll, describe, expect, test } from 'vitest';
import { updateClient } from '#lib/management/client/clients.ts';
import {
  deviceGrant,
  exchangeGrant,
  type GrantType,
  grantTypeNames,
  jwtBearerGrant,
} from '#lib/oauth/grant-types.ts';
import { idJagTokenType } from '#lib/oauth/id-jag.ts';
import { allow } from '#lib/store/access.ts';
import { write } from '#lib/store/engine/database.ts';
import { unique } from '../management/people.ts';
import { type Answer, credentials, me, post } from '../support/app.ts';
import { askTokens, startDevice, typeCode } from '../support/devices.ts';
import { exchange, newServed } from '../support/exchange.ts';
import { newGuarded, SiteBrowser } from '../support/guarded.ts';
import { LyingProvider } from '../support/lying-provider.ts';
import { openServer } from '../support/open-server.ts';
import { answerOf, authorizePath, newPerson, type Page } from '../support/person.ts';
import { newPkce } from '../support/pkce.ts';
import { giveIdentity, newProvider } from '../support/providers.ts';
import { type Reason, reasons } from '../support/reasons.ts';
import { type ClientOptions, newClient, type TestClient } from '../support/seed.ts';
import { set } from '../support/settings.ts';
import { stepOf } from '../support/traces.ts';

/*
 * Every way into an app, combined with every reason that keeps a person out. A door that does not
 * check whether they may pass lets them through here.
 */

const server = await openServer({ PROVIDERS_AT_PRIVATE_ADDRESSES: 'on' });
const idp = await LyingProvider.open();
/** Another server, whose assertions are accepted. */
let trusted = '';
beforeAll(async () => {
  trusted = await newProvider({ issuer: idp.issuer, acceptsAssertions: true });
});
const cli = { id: 'cli' };
const pkce = newPkce();

/**
 * An app that lists one person, who is in its network. It can use every grant that involves people.
 */
async function scene() {
  const person = await newPerson(server);
  person.address = '198.51.100.7';
  const client = await newClient({
    access: 'listed',
    type: 'public',
    grants: ['authorization_code', 'refresh_token', deviceGrant],
  });
  await allow(client.id, { groups: [], people: [person.user.id] }, [], new Date());
  return { person, client };
}
/** `api`: the app that exchanges the token of `client`. */
type Scene = Awaited<ReturnType<typeof scene>> & { api?: TestClient };

type Tried = { at: string; error?: unknown; rule?: unknown };

const ask = ({ client }: Scene, more: Record<string, string> = {}) =>
  authorizePath({ client_id: client.id, response_type: 'code', ...pkce.challenge, ...more });
/** The pages about a device say by themselves that its app may not be used. */
const atPage = ({ at, html }: Page): Tried => ({
  at: html.includes('You can’t use') ? '/no-access' : new URL(at, server.base).pathname,
});

/** The answer to a program, with the rule in its trace. */
async function atProgram({ status, headers, body }: Answer): Promise<Tried> {
  if (status === 200) return { at: 'tokens' };
  const { rule } = await stepOf({ headers });
  return { at: 'refusal', error: body.error, rule };
}

const redeem = ({ client }: Scene, code: string, more: Record<string, string> = {}) =>
  post(server, '/oauth/token', {
    grant_type: 'authorization_code',
    client_id: client.id,
    code,
    redirect_uri: client.redirectUri,
    code_verifier: pkce.verifier,
    ...more,
  });
const refresh = ({ client }: Scene, token: unknown, more: Record<string, string> = {}) =>
  post(server, '/oauth/token', {
    grant_type: 'refresh_token',
    client_id: client.id,
    refresh_token: String(token),
    ...more,
  });
async function codeFor(at: Scene): Promise<string> {
  return answerOf(await at.person.goThrough(await at.person.open(ask(at)))).code ?? '';
}
const tokensFor = async (at: Scene) => (await redeem(at, await codeFor(at))).body;

/** An API that the app calls and that exchanges the token it is sent. */
async function servedWith(at: Scene) {
  const grants = ['authorization_code', 'refresh_token', exchangeGrant];
  const served = await newServed([], { app: { grants } });
  at.api = served.client;
  const change = { exchangeFor: [served.identifier] };
  await updateClient(served.client.id, change, { actor: cli, now: new Date() });
  const asked = ask(at, { resource: served.identifier, scope: 'read' });
  const code = answerOf(await at.person.goThrough(await at.person.open(asked))).code ?? '';
  return { served, token: String((await redeem(at, code)).body.access_token) };
}

/** Replaces the app with one that authenticates. */
async function confidential(at: Scene, options: ClientOptions): Promise<void> {
  at.client = await newClient({ access: 'listed', ...options });
  const people = [at.person.user.id];
  await allow(at.client.id, { groups: [], people }, [], new Date());
}

const elsewhere = 'https://other.example';

/** A way in: what happens before the reason arises, and what is tried afterwards. */
type Door = (at: Scene) => Promise<() => Promise<Tried>>;

const doors: Record<string, Door> = {
  'authorization request': async (at) => {
    await at.person.decide(await at.person.open(ask(at)), 'allow');
    return async () => atPage(await at.person.open(ask(at)));
  },
  'pending request that continues': async (at) => {
    const consent = await at.person.open(ask(at));
    return async () =>
      atPage(await at.person.open(consent.at.replace('/consent', '/oauth/continue')));
  },
  'consent page': async (at) => {
    const consent = await at.person.open(ask(at));
    return async () => atPage(await at.person.open(consent.at));
  },
  'decision on the consent page': async (at) => {
    const consent = await at.person.open(ask(at));
    return async () => atPage(await at.person.decide(consent, 'allow'));
  },
  'code of a device that is typed': async (at) => {
    const { user_code } = await startDevice(server, at.client);
    const page = await at.person.open('/device');
    return async () => atPage(await at.person.submit(page, '/device/submit', { user_code }));
  },
  'decision about a device': async (at) => {
    const { user_code } = await startDevice(server, at.client);
    const page = await typeCode(at.person, user_code);
    const decided = { decision: 'allow' };
    return async () => atPage(await at.person.submit(page, '/device/confirm/submit', decided));
  },
  'code, not read': async (at) => {
    const code = await codeFor(at);
    return async () => atProgram(await redeem(at, code));
  },
  'code, read': async (at) => {
    const code = await codeFor(at);
    // An unknown resource has to be looked at.
    return async () => atProgram(await redeem(at, code, { resource: 'https://nowhere.example' }));
  },
  'refresh token, not read': async (at) => {
    const { refresh_token } = await tokensFor(at);
    return async () => atProgram(await refresh(at, refresh_token));
  },
  'refresh token, read': async (at) => {
    const { refresh_token, scope } = await tokensFor(at);
    return async () => atProgram(await refresh(at, refresh_token, { scope: String(scope) }));
  },
  'refresh token, repeated': async (at) => {
    const { refresh_token } = await tokensFor(at);
    expect((await refresh(at, refresh_token)).status).toBe(200);
    return async () => atProgram(await refresh(at, refresh_token));
  },
  'token that is exchanged': async (at) => {
    const { served, token } = await servedWith(at);
    return async () =>
      atProgram(await exchange(server, served.client, served.identifier, { token }));
  },
  'refresh token of an exchange': async (at) => {
    const { served, token } = await servedWith(at);
    const { body } = await exchange(server, served.client, served.identifier, { token });
    const refresh_token = String(body.refresh_token);
    const grant = { ...credentials(served.client), grant_type: 'refresh_token', refresh_token };
    return async () => atProgram(await post(server, '/oauth/token', grant));
  },
  'word about a sign-in for another server': async (at) => {
    const grants = ['authorization_code', 'refresh_token', exchangeGrant];
    await confidential(at, { grants, identityFor: { [elsewhere]: 'app-there' } });
    const { body } = await redeem(at, await codeFor(at), credentials(at.client));
    const asked = {
      grant_type: exchangeGrant,
      requested_token_type: idJagTokenType,
      audience: elsewhere,
      subject_token: String(body.refresh_token),
      subject_token_type: 'urn:ietf:params:oauth:token-type:refresh_token',
    };
    return async () =>
      atProgram(await post(server, '/oauth/token', { ...credentials(at.client), ...asked }));
  },
  'word of another server': async (at) => {
    await confidential(at, { grants: [jwtBearerGrant] });
    const subject = `of ${at.person.user.id}`;
    await giveIdentity(at.person.user.id, trusted, { issuer: idp.issuer, subject });
    const anHourAgo = Math.floor(Date.now() / 1000) - 3600;
    const assertion = await idp.assertion({
      aud: server.issuer,
      client_id: at.client.id,
      sub: subject,
      auth_time: anHourAgo,
    });
    const grant = { grant_type: jwtBearerGrant, assertion };
    return async () =>
      atProgram(await post(server, '/oauth/token', { ...credentials(at.client), ...grant }));
  },
  'device code': async (at) => {
    const started = await startDevice(server, at.client);
    const page = await typeCode(at.person, started.user_code);
    await at.person.submit(page, '/device/confirm/submit', { decision: 'allow' });
    return async () => atProgram(await askTokens(server, at.client, started));
  },
};

const pages = Object.keys(doors).slice(0, 4);
const ofDevice = Object.keys(doors).slice(4, 6);
const tokens = Object.keys(doors).slice(6);

/**
 * Where each reason leads: on ordinary pages, on the pages about a device, and the rule that
 * refuses a token request.
 */
const expected: Record<Reason, { pages: string | RegExp; device: string; rule: string | null }> = {
  'they lost access': { pages: '/no-access', device: '/no-access', rule: 'access.not-listed' },
  'they are not listed': { pages: '/no-access', device: '/no-access', rule: 'access.not-listed' },
  'they are disabled': { pages: '/login', device: '/login', rule: 'ended' },
  'the app is disabled': {
    pages: /^\/(oauth|consent)\//,
    device: '/device/over',
    rule: 'client.disabled',
  },
  // Here the app's server, which may be anywhere, sends what they were given.
  'the app has networks, and they are elsewhere': {
    pages: '/no-access',
    device: '/no-access',
    rule: null,
  },
  'the app requires a second factor': {
    pages: '/login',
    device: '/login',
    rule: 'second-factor-required',
  },
  'this server requires a second factor of them': {
    pages: '/login',
    device: '/login',
    rule: 'second-factor-required',
  },
  'their sign-in is too old': { pages: '/login', device: '/login', rule: 'sign-in-too-old' },
  'their sign-in is over': { pages: '/login', device: '/login', rule: 'sign-in-over' },
  'they have not agreed to terms of use': {
    pages: '/login/terms',
    device: '/login/terms',
    rule: 'terms.required',
  },
  'admins refused the app': {
    pages: '/approval',
    device: '/device/over',
    rule: 'approval.refused',
  },
};

/** What an app gets with a sign-in for the first time: here it may not be too old either. */
const anew = [
  'token that is exchanged',
  'word about a sign-in for another server',
  'word of another server',
];

/** The reasons that concern the sign-in, which another one would cure. */
const aboutSignIn: Reason[] = [
  'the app requires a second factor',
  'this server requires a second factor of them',
  'their sign-in is too old',
  'their sign-in is over',
];

/** The doors of each grant that gives people's tokens. */
const doorsOf: Record<GrantType, readonly string[] | 'nobody signs in'> = {
  authorization_code: ['code, not read', 'code, read'],
  refresh_token: [
    'refresh token, not read',
    'refresh token, read',
    'refresh token, repeated',
    'refresh token of an exchange',
  ],
  client_credentials: 'nobody signs in',
  [deviceGrant]: ['device code'],
  [exchangeGrant]: ['token that is exchanged', 'word about a sign-in for another server'],
  [jwtBearerGrant]: ['word of another server'],
};

test('every grant of the table has its doors here, and none is left out', () => {
  expect(Object.keys(doorsOf)).toEqual(grantTypeNames);
  const all = Object.values(doorsOf).flatMap((names) => (typeof names === 'string' ? [] : names));
  expect([...all].sort()).toEqual([...tokens].sort());
});

/** The reasons that also end existing access tokens. */
const endsTokens: Reason[] = ['they lost access', 'they are disabled', 'the app is disabled'];

const all = Object.entries(reasons) as [Reason, (at: Scene) => Promise<unknown>][];

describe.concurrent.each(Object.entries(doors))('%s', (name, door) => {
  test('lets a listed user through', async () => {
    const tried = await (await door(await scene()))();
    const wayIn = ['/callback', '/consent', '/device/confirm', '/device/allowed', 'tokens'];
    expect(wayIn).toContain(tried.at);
  });

  test.each(all)(
    'refuses when %s, except for networks at the token endpoint',
    async (reason, happen) => {
      const at = await scene();
      const trying = await door(at);
      await happen(at);
      const tried = await trying();
      const told = expected[reason];
      if (pages.includes(name)) expect(tried.at).toMatch(told.pages);
      if (ofDevice.includes(name)) expect(tried.at).toBe(told.device);
      if (!tokens.includes(name)) return;
      if (told.rule === null) return expect(tried).toEqual({ at: 'tokens' });
      // What an app was given before stays its own while the sign-in grows older.
      if (reason === 'their sign-in is too old' && !anew.includes(name))
        return expect(tried).toEqual({ at: 'tokens' });
      if (anew.includes(name) && aboutSignIn.includes(reason)) {
        const error = 'insufficient_user_authentication';
        return expect(tried).toEqual({ at: 'refusal', error, rule: told.rule });
      }
      if (name === 'token that is exchanged') {
        const rule = endsTokens.includes(reason) ? 'exchange.subject' : told.rule;
        return expect(tried).toEqual({ at: 'refusal', error: 'invalid_request', rule });
      }
      if (name === 'word about a sign-in for another server' && told.rule !== 'client.disabled') {
        const rule = endsTokens.includes(reason) ? 'identity.subject' : told.rule;
        return expect(tried).toEqual({ at: 'refusal', error: 'invalid_request', rule });
      }
      if (name === 'word of another server' && reason === 'they are disabled')
        return expect(tried).toMatchObject({ error: 'invalid_grant', rule: 'assertion.nobody' });
      // The refresh token comes from another app, which is not disabled itself.
      if (name === 'refresh token of an exchange' && reason === 'the app is disabled')
        return expect(tried).toMatchObject({ error: 'invalid_grant', rule: 'refresh-token.ended' });
      const error = told.rule === 'client.disabled' ? 'invalid_client' : 'invalid_grant';
      const rule = told.rule === 'ended' ? expect.stringMatching(/\.ended$/) : told.rule;
      expect(tried).toEqual({ at: 'refusal', error, rule });
    },
  );
});

test('a refusal at the token endpoint for lost access or a refused app ends the access token, too', async () => {
  for (const reason of ['they are not listed', 'admins refused the app'] as const) {
    const at = await scene();
    const { access_token, refresh_token } = await tokensFor(at);
    await reasons[reason](at);
    expect((await me(server, String(access_token))).status).toBe(200);
    expect((await refresh(at, refresh_token)).body.error).toBe('invalid_grant');
    expect((await me(server, String(access_token))).status).toBe(401);
  }
});

test('the server’s rule about second factors counts for what was given before it, on every path', async () => {
  const scenes = await Promise.all([scene(), scene(), scene()]);
  const given = await Promise.all(scenes.map(tokensFor));
  const tries = () =>
    Promise.all(
      scenes.map(async (at, index) => {
        const { refresh_token, scope } = given[index] ?? {};
        const answer = await refresh(at, refresh_token, index > 0 ? { scope: String(scope) } : {});
        if (given[index] && answer.status === 200) given[index] = answer.body;
        return answer.body.error;
      }),
    );
  await write("UPDATE users SET role = 'support' WHERE id = $1", [scenes[2]?.person.user.id]);
  await set('REQUIRE_SECOND_FACTOR', 'admins');
  expect(await tries()).toEqual([undefined, undefined, 'invalid_grant']);
  await set('REQUIRE_SECOND_FACTOR', 'everyone');
  expect(await tries()).toEqual(['invalid_grant', 'invalid_grant', 'invalid_grant']);
  await set('REQUIRE_SECOND_FACTOR', null);
  // They ended: who signs in again has what the rule asks for.
  expect(await tries()).toEqual(['invalid_grant', 'invalid_grant', 'invalid_grant']);
});

test.each(Object.keys(reasons) as Reason[])('a guarded site refuses when %s', async (reason) => {
  const at = await scene();
  const site = `https://${unique('app')}.example`;
  at.client = await newGuarded({ guardedSites: [site], access: 'listed' });
  await allow(at.client.id, { groups: [], people: [at.person.user.id] }, [], new Date());
  const browser = new SiteBrowser(at.person, 'traefik');
  expect((await browser.enter(`${site}/`)).status).toBe(200);
  await reasons[reason](at);
  const fetched = await browser.ask(`${site}/`, { headers: { 'sec-fetch-mode': 'cors' } });
  expect([401, 403]).toContain(fetched.status);
  const opened = await browser.open(`${site}/`);
  const { pages: page, rule } = expected[reason];
  if (rule === 'client.disabled') return expect(opened.status).toBe(403);
  const { pathname, search } = new URL(String(opened.headers.location));
  expect(atPage(await at.person.open(pathname + search)).at).toMatch(page);
});
