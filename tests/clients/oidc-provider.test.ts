// oidc-provider (another implementation of OpenID Connect) as a provider that people sign in with
// here.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { exportJWK, generateKeyPair } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sealedProviderSecret } from '#lib/identity/upstream/secret.ts';
import { findIdentity } from '#lib/store/identities.ts';
import { newName, newSub } from '../support/at-provider.ts';
import { openServer, type TestServer } from '../support/open-server.ts';
import { type Page, Person } from '../support/person.ts';
import { newProvider } from '../support/providers.ts';
import { newUser } from '../support/seed.ts';
import { folderFromNpm } from './npm-packages.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
type Provider = {
  on(event: 'backchannel.error', hear: (context: unknown, error: Error) => void): void;
  callback(): Answer;
  interactionDetails(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<{ prompt: { name: string }; params: { client_id: string } }>;
  interactionFinished(
    request: IncomingMessage,
    response: ServerResponse,
    result: object,
  ): Promise<void>;
  Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<string> };
};
type Module = { default: new (issuer: string, configuration: object) => Provider };

const folder = await folderFromNpm('oidc-provider', '9.13.3');
const server = await openServer({ PROVIDERS_AT_PRIVATE_ADDRESSES: 'on' });

// A server without users shows how to create the first one.
beforeAll(async () => {
  await newUser();
});

const slug = `provider-${randomBytes(4).toString('hex')}`;
const secret = randomBytes(24).toString('base64url');
const redirectUri = `${server.issuer}/login/with/${slug}/callback`;

/** An oidc-provider server that immediately signs every visitor in as `who`. */
class Upstream {
  readonly issuer: string;
  readonly #module: Module;
  #provider!: Provider;
  #answer: Answer = () => {};
  who = '';
  /** Why its last logout token was refused. */
  failure: Error | null = null;
  readonly #claims = new Map<string, object>();
  /** The requests since this was last read. */
  asked: string[] = [];

  constructor(module: Module, issuer: string) {
    this.#module = module;
    this.issuer = issuer;
  }

  static async open(): Promise<Upstream> {
    const module = (await import(pathToFileURL(`${folder}/lib/index.js`).href)) as Module;
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const upstream = new Upstream(module, `http://127.0.0.1:${port}`);
    await upstream.changeKeys();
    server.on('request', (request, response) => upstream.#serve(request, response));
    afterAll(() => {
      server.closeAllConnections();
      server.close();
    });
    return upstream;
  }

  /** Restarts it with another key; sessions are kept. */
  async changeKeys(): Promise<void> {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const key = { ...(await exportJWK(privateKey)), kid: newSub(), use: 'sig', alg: 'RS256' };
    this.#provider = new this.#module.default(this.issuer, {
      jwks: { keys: [key] },
      cookies: { keys: ['a key of the test'] },
      clients: [
        {
          client_id: 'gatehouse',
          client_secret: secret,
          redirect_uris: [redirectUri],
          backchannel_logout_uri: `${server.issuer}/login/with/${slug}/ended`,
          backchannel_logout_session_required: true,
        },
      ],
      claims: {
        openid: ['sub'],
        profile: ['name', 'preferred_username'],
        email: ['email', 'email_verified'],
      },
      pkce: { required: () => true },
      features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      // By default it sends no requests to private addresses.
      fetch: (url: string, { dispatcher: _, ...options }: RequestInit & { dispatcher: unknown }) =>
        fetch(url, options),
      findAccount: (_: unknown, id: string) => ({
        accountId: id,
        claims: () => ({ sub: id, ...this.#claims.get(id) }),
      }),
    });
    this.#provider.on('backchannel.error', (_, error) => {
      this.failure = error;
    });
    this.#answer = this.#provider.callback();
  }

  newAccount(claims: object): string {
    const id = newSub();
    this.#claims.set(id, claims);
    return id;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.asked.push(new URL(request.url ?? '/', this.issuer).pathname);
    if (!request.url?.startsWith('/interaction/')) return this.#answer(request, response);
    const { prompt, params } = await this.#provider.interactionDetails(request, response);
    if (prompt.name === 'login') {
      const result = { login: { accountId: this.who } };
      return this.#provider.interactionFinished(request, response, result);
    }
    const grant = new this.#provider.Grant({ clientId: params.client_id, accountId: this.who });
    grant.addOIDCScope('openid profile email');
    const result = { consent: { grantId: await grant.save() } };
    return this.#provider.interactionFinished(request, response, result);
  }
}

/** A person with one browser for both servers. */
class Visitor {
  readonly here = new Person(server);
  readonly there: Person;

  constructor(upstream: Upstream) {
    this.there = new Person({ base: upstream.issuer, issuer: upstream.issuer } as TestServer);
    this.there.address = '';
  }

  /** Presses the button, and comes back. */
  async signIn(): Promise<Page> {
    const sent = await this.here.open(`/login/with/${slug}`);
    const back = await this.there.open(sent.at);
    const { origin, pathname, search } = new URL(back.at);
    expect(origin).toBe(server.issuer);
    return this.here.open(pathname + search);
  }

  async isIn(): Promise<boolean> {
    return (await this.here.open('/account')).at === '/account';
  }
}

describe.skipIf(folder === null)('oidc-provider (npm) as identity provider', () => {
  let upstream: Upstream;
  beforeAll(async () => {
    upstream = await Upstream.open();
    await newProvider({
      slug,
      name: 'oidc-provider',
      issuer: upstream.issuer,
      sealedSecret: await sealedProviderSecret.seal(secret),
      mayRegister: true,
    });
  });

  async function register(): Promise<{ visitor: Visitor; sub: string }> {
    const username = newName();
    const email = `${username}@example.com`;
    const sub = upstream.newAccount({
      email,
      email_verified: true,
      name: 'Ada Lovelace',
      preferred_username: username,
    });
    upstream.who = sub;
    const visitor = new Visitor(upstream);
    const page = await visitor.signIn();
    expect(page.at).toMatch(/^\/login\/new/);
    expect(page.html).toContain(email);
    expect(page.html).toContain('Ada Lovelace');
    const done = await visitor.here.submit(page, '/login/new/submit');
    expect(done.at).toBe('/account');
    return { visitor, sub };
  }

  test('a new user gets an account through it, and signs in again', async () => {
    const { sub } = await register();
    expect(await findIdentity({ issuer: upstream.issuer, subject: sub })).not.toBeNull();
    const again = new Visitor(upstream);
    expect((await again.signIn()).at).toBe('/account');
    expect(await again.isIn()).toBe(true);
  });

  test('an email address that it has not verified does not sign in its owner', async () => {
    const { email } = await newUser();
    upstream.who = upstream.newAccount({ email, email_verified: false });
    const visitor = new Visitor(upstream);
    expect((await visitor.signIn()).at).toMatch(/^\/login\b/);
    expect(await visitor.isIn()).toBe(false);
  });

  test('a key that it has just changed is fetched immediately', async () => {
    const { sub } = await register();
    await upstream.changeKeys();
    upstream.who = sub;
    upstream.asked = [];
    const visitor = new Visitor(upstream);
    expect((await visitor.signIn()).at).toBe('/account');
    expect(upstream.asked).toContain('/jwks');
  });

  test('its back-channel logout signs the user out here, in that browser only', async () => {
    const { visitor } = await register();
    const elsewhere = new Visitor(upstream);
    await elsewhere.signIn();
    expect([await visitor.isIn(), await elsewhere.isIn()]).toEqual([true, true]);
    const asks = await visitor.there.open('/session/end');
    const { action = '' } = asks.forms[0] ?? {};
    // It calls our server before it answers the browser.
    await visitor.there.submit(asks, action, { logout: 'yes' });
    expect(upstream.failure).toBeNull();
    expect([await visitor.isIn(), await elsewhere.isIn()]).toEqual([false, true]);
  });
});
