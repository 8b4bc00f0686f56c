import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll } from 'vitest';

type Claims = Record<string, unknown>;
type Json = Record<string, unknown> | unknown[];

/** What the provider says instead of the truth. */
export type Lies = {
  /** Members of the ID token; `undefined` leaves one out. */
  idToken?: Claims;
  /** `alg` also chooses the key: RS256 or ES256. */
  header?: Claims;
  /** Signed with a key other than the published one. */
  foreignKey?: boolean;
  /** Signed with HS256 and this text as the key. */
  secret?: string;
  unsigned?: boolean;
  /** How the keys are published. */
  keys?: 'without kid' | 'several without kid';
  userinfo?: Claims;
  /** The answer of the token endpoint. */
  token?: { status: number; body: Json };
  /** Members of that answer; `undefined` leaves one out. */
  tokens?: Claims;
  /** Parameters of the answer to the browser; `undefined` leaves one out. */
  answer?: Record<string, string | undefined>;
  discovery?: Claims;
};

type Grant = { nonce: string; challenge: string; redirectUri: string; clientId: string } & Pick<
  LyingProvider,
  'lies'
> & { claims: Claims };

type Alg = 'RS256' | 'ES256';

const newKeys = () => ({
  kid: randomBytes(6).toString('hex'),
  RS256: generateKeyPair('RS256'),
  ES256: generateKeyPair('ES256'),
});

/** An OpenID provider, GitHub and Discord in one. It tells the truth unless a test sets lies. */
export class LyingProvider {
  issuer = '';
  lies: Lies = {};
  /** The requests it has received. */
  readonly asked: { path: string; body: URLSearchParams; authorization: string }[] = [];
  /** The answers of GitHub's and Discord's APIs, by path. */
  readonly says: Record<string, Json> = {};
  readonly #grants = new Map<string, Grant>();
  #keys = newKeys();
  readonly #others = newKeys();

  /** Starts a provider. It runs until the test file ends. */
  static async open(): Promise<LyingProvider> {
    const provider = new LyingProvider();
    const server = createServer((request, response) => {
      provider.#serve(request, response).catch((error: unknown) => {
        response.writeHead(500).end(String(error));
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    provider.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    afterAll(() => {
      server.closeAllConnections();
      server.close();
    });
    return provider;
  }

  /**
   * Signs a person in at the address that a browser was sent to, and returns the address to go back
   * to.
   */
  answer(address: string, claims: Claims): string {
    const query = new URL(address).searchParams;
    const code = randomBytes(12).toString('base64url');
    const get = (name: string) => query.get(name) ?? '';
    this.#grants.set(code, {
      nonce: get('nonce'),
      challenge: get('code_challenge'),
      redirectUri: get('redirect_uri'),
      clientId: get('client_id'),
      lies: this.lies,
      claims,
    });
    const back = new URL(get('redirect_uri'));
    const said = { code, state: get('state'), iss: this.issuer, ...this.lies.answer };
    for (const [name, value] of Object.entries(said))
      if (value !== undefined) back.searchParams.set(name, value);
    return back.pathname + back.search;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = new URLSearchParams(Buffer.concat(chunks).toString());
    const path = new URL(request.url ?? '/', this.issuer).pathname;
    const authorization = request.headers.authorization ?? '';
    this.asked.push({ path, body, authorization });
    const [status, said] = await this.#answerTo(path, body, authorization);
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(said));
  }

  async #answerTo(
    path: string,
    body: URLSearchParams,
    authorization: string,
  ): Promise<[number, Json]> {
    const said = this.says[path];
    if (said) return [200, said];
    if (path === '/.well-known/openid-configuration') return [200, this.#discovery()];
    if (path === '/jwks') return [200, await this.#jwks()];
    if (path === '/userinfo') {
      const grant = this.#grants.get(authorization.replace('Bearer ', ''));
      return [200, { ...grant?.claims, ...grant?.lies.userinfo }];
    }
    return this.#tokens(body);
  }

  #discovery(): Claims {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/jwks`,
      userinfo_endpoint: `${this.issuer}/userinfo`,
      authorization_response_iss_parameter_supported: true,
      id_token_signing_alg_values_supported: ['RS256'],
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      ...this.lies.discovery,
    };
  }

  /** From now on, signs with new keys and publishes only those. */
  changeKeys(): void {
    this.#keys = newKeys();
  }

  /** The public key that it publishes for an algorithm. */
  async publicKey(alg: Alg, keys = this.#keys): Promise<Claims> {
    const jwk = await exportJWK((await keys[alg]).publicKey);
    return { ...jwk, kid: `${alg} ${keys.kid}`, alg, use: 'sig' };
  }

  async #jwks(): Promise<Json> {
    const { keys: how } = this.lies;
    const sets = how === 'several without kid' ? [this.#others, this.#keys] : [this.#keys];
    const keys = await Promise.all(
      sets.flatMap((set) => [this.publicKey('RS256', set), this.publicKey('ES256', set)]),
    );
    return { keys: how ? keys.map((key) => ({ ...key, kid: undefined })) : keys };
  }

  async #tokens(body: URLSearchParams): Promise<[number, Json]> {
    const code = body.get('code') ?? '';
    const grant = this.#grants.get(code);
    if (!grant) return [400, { error: 'invalid_grant' }];
    const { lies } = grant;
    if (lies.token) return [lies.token.status, lies.token.body];
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url');
    if (challenge !== grant.challenge || body.get('redirect_uri') !== grant.redirectUri)
      return [400, { error: 'invalid_grant', error_description: 'PKCE or redirect_uri' }];
    const tokens = { access_token: code, token_type: 'Bearer', expires_in: 60, ...lies.tokens };
    return [200, grant.nonce ? { ...tokens, id_token: await this.#idToken(grant) } : tokens];
  }

  #idToken({ lies, claims, nonce, clientId }: Grant): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const said = { aud: clientId, auth_time: now, nonce, ...claims, ...lies.idToken };
    return this.#sign(said, lies);
  }

  /** The logout token that it sends when a person signs out there. */
  logoutToken(claims: Claims, lies: Lies = {}): Promise<string> {
    const header = { typ: 'logout+jwt', ...lies.header };
    const jti = randomBytes(12).toString('base64url');
    return this.#sign({ aud: 'gatehouse', jti, ...claims }, { ...lies, header });
  }

  /** An identity assertion for an app at another server. */
  assertion(claims: Claims, lies: Lies = {}): Promise<string> {
    const header = { typ: 'oauth-id-jag+jwt', ...lies.header };
    const jti = randomBytes(12).toString('base64url');
    return this.#sign({ jti, ...claims }, { ...lies, header });
  }

  async #sign(claims: Claims, lies: Lies): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const said = { iss: this.issuer, iat: now, exp: now + 300, ...claims };
    const told: Claims = Object.fromEntries(
      Object.entries(said).filter(([, value]) => value !== undefined),
    );
    if (lies.unsigned) return new UnsecuredJWT(told).encode();
    if (lies.secret !== undefined)
      return new SignJWT(told)
        .setProtectedHeader({ alg: 'HS256', ...lies.header })
        .sign(new TextEncoder().encode(lies.secret));
    const alg: Alg = lies.header?.alg === 'ES256' ? 'ES256' : 'RS256';
    const { privateKey } = await (lies.foreignKey ? this.#others : this.#keys)[alg];
    return new SignJWT(told)
      .setProtectedHeader({ alg, kid: `${alg} ${this.#keys.kid}`, ...lies.header })
      .sign(privateKey);
  }
}
