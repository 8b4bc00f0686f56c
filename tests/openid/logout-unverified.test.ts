import { beforeAll, describe, expect, test } from 'vitest';
import { approveApp } from '#lib/management/approval/new-apps.ts';
import { blockHost } from '#lib/management/host/hosts.ts';
import { storeClientRequest } from '#lib/store/client-requests.ts';
import { findClient } from '#lib/store/clients.ts';
import { clientsOfHost } from '#lib/store/hosts.ts';
import { redeem } from '../support/app.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import {
  answerOf,
  authorizePath,
  isSignedIn,
  newPerson,
  type Page,
  Person,
} from '../support/person.ts';
import { newPkce } from '../support/pkce.ts';
import { set } from '../support/settings.ts';
import { newHost, newUnverifiedApp, type UnverifiedApp } from '../support/unverified-apps.ts';
import { asking } from './sign-in.ts';

const server = await openServer({});
const cli = { id: 'cli' };
const leave = (person: Person, params: Record<string, string>): Promise<Page> =>
  person.open(`/oauth/logout?${new URLSearchParams(params)}`);

beforeAll(() => set('CLIENT_DOCUMENT_HOSTS', 'any'));

describe('the post_logout_redirect_uri of an unverified app', () => {
  const pkce = newPkce();
  const byeOf = ({ host }: UnverifiedApp) => `https://${host}/bye`;
  const newApp = (more: Parameters<typeof newUnverifiedApp>[0] = {}) => {
    const host = newHost();
    const postLogoutRedirectUris = [`https://${host}/bye`];
    return newUnverifiedApp({ host, name: 'Payroll helper', postLogoutRedirectUris, ...more });
  };
  /** The ID token of a person who has signed in to this app. */
  const tokenOf = async (person: Person, client: UnverifiedApp) => {
    const page = await person.goThrough(
      await person.open(authorizePath(asking(client, pkce.challenge))),
    );
    const { code = '' } = answerOf(page);
    const more = { code_verifier: pkce.verifier, redirect_uri: client.redirectUri };
    return String((await redeem(server, { ...client, secret: '' }, code, more)).body.id_token);
  };
  const newVisit = async (more: Parameters<typeof newUnverifiedApp>[0] = {}) => {
    const app = await newApp(more);
    const person = await newPerson(server);
    return { app, person, hint: await tokenOf(person, app) };
  };

  test.each(['registration', 'document'] as const)(
    'by %s is not followed without id_token_hint, signed in or not',
    async (origin) => {
      const app = await newApp({ origin });
      const asked = { client_id: app.id, post_logout_redirect_uri: byeOf(app), state: 's' };
      expect((await leave(new Person(server), asked)).at).toBe('/logout/done');
      const person = await newPerson(server);
      const page = await leave(person, asked);
      expect(textOf(page.html)).toContain(`${app.host} wants to sign you out`);
      expect(textOf(page.html)).not.toContain('Payroll helper');
      expect((await person.submit(page, '/logout/submit')).at).toMatch(/^\/logout\/done/);
      expect(await isSignedIn(person)).toBe(false);
    },
  );

  test('is followed with an ID token of this session', async () => {
    const { app, person, hint } = await newVisit();
    const asked = { id_token_hint: hint, post_logout_redirect_uri: byeOf(app), state: 's' };
    expect((await leave(person, asked)).at).toBe(`${byeOf(app)}?state=s`);
  });

  test('is followed with an ID token of the session just ended in this browser, and in no other browser', async () => {
    const { app, person, hint } = await newVisit();
    const asked = { id_token_hint: hint, post_logout_redirect_uri: byeOf(app) };
    await person.signOut();
    expect((await leave(person, asked)).at).toBe(byeOf(app));
    expect((await leave(new Person(server), asked)).at).toBe('/logout/done');
    const copy = new Person(server);
    const [name, value] = [...person.cookies].find(([each]) => each.endsWith('ended')) ?? ['', ''];
    copy.cookies.set(name, value);
    expect((await leave(copy, asked)).at).toBe('/logout/done');
  });

  test('is followed with pairwise subjects by the sid of the session just ended', async () => {
    const { app, person, hint } = await newVisit({ subjectType: 'pairwise' });
    const asked = { id_token_hint: hint, post_logout_redirect_uri: byeOf(app) };
    await person.signOut();
    expect((await leave(person, asked)).at).toBe(byeOf(app));
    expect((await leave(new Person(server), asked)).at).toBe('/logout/done');
  });

  test('is not followed with the ID token of another user', async () => {
    const { app, hint } = await newVisit();
    const asked = { id_token_hint: hint, post_logout_redirect_uri: byeOf(app) };
    const victim = await newPerson(server);
    const page = await leave(victim, asked);
    expect((await victim.submit(page, '/logout/submit')).at).toMatch(/^\/logout\/done/);
  });

  test('is not followed to a host that its redirect URIs do not have, even if it is stored', async () => {
    const away = 'https://evil.example/login';
    const app = await newApp({ postLogoutRedirectUris: [away] });
    const person = await newPerson(server);
    const asked = { id_token_hint: await tokenOf(person, app), post_logout_redirect_uri: away };
    expect((await leave(person, asked)).at).toMatch(/^\/logout\/done/);
  });

  test('is followed without id_token_hint once an admin has approved the app', async () => {
    const { app, person } = await newVisit();
    const event = { type: 'client.requested' } as const;
    await storeClientRequest(
      { ...app, origin: 'registration', name: 'x' },
      person.user.id,
      event,
      new Date(),
    );
    await approveApp(app.id, cli, new Date());
    const asked = { client_id: app.id, post_logout_redirect_uri: byeOf(app) };
    expect((await leave(new Person(server), asked)).at).toBe(byeOf(app));
  });

  test('is refused, as the whole app is, if any of its URIs is on a blocked host', async () => {
    const evil = newHost();
    const named = [
      { postLogoutRedirectUris: [`https://${evil}/bye`] },
      { backchannelLogoutUri: `https://${evil}/out` },
      { initiateLoginUri: `https://in.${evil}/` },
    ];
    const apps = await Promise.all(named.map((more) => newApp(more)));
    await blockHost(evil, cli, new Date());
    for (const { id } of apps) {
      expect(await findClient(id)).toBeNull();
      const page = await leave(new Person(server), {
        client_id: id,
        post_logout_redirect_uri: `https://${evil}/bye`,
      });
      expect(page.status).toBe(400);
    }
    expect((await clientsOfHost(evil, 10)).sort()).toEqual(apps.map(({ id }) => id).sort());
  });
});
