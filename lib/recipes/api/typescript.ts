import { joined, type Text, typescript } from '../text.ts';
import type { CheckerFacts } from './checker-facts.ts';

const checking = ({ challenge, acrs }: CheckerFacts) => typescript`
  type Claims = { sub: string; client_id: string; scope?: string; aud: string | string[]; acr?: string; auth_time?: number; cnf?: object };
  type Checked = { status: 200; claims: Claims } | { status: 401 | 403; challenge: string };

  const challenge = ${challenge};

  /**
   * Checks the Authorization header of a request that needs a scope. Unless the status is 200,
   * answer with it, and with the challenge in the header WWW-Authenticate.
   */
  export async function check(authorization: string | undefined, scope = ''): Promise<Checked> {
    const [, token] = /^Bearer +([\w.~+/-]+=*)$/i.exec(authorization ?? '') ?? [];
    if (!token) return { status: 401, challenge };
    const claims = await claimsOf(token);
    // One that is bound to a key (RFC 9449) is no bearer token.
    if (!claims || claims.cnf) return { status: 401, challenge: challenge + ', error="invalid_token"' };
    if (scope && !(claims.scope ?? '').split(' ').includes(scope))
      return { status: 403, challenge: challenge + ', error="insufficient_scope"' };
    return { status: 200, claims };
  }

  /** Strengths of a sign-in, the weakest first: one step, two steps, a passkey. */
  const strengths = ${acrs}.split(' ');

  /**
   * The challenge to answer with, and 401, where a request needs a stronger or a newer sign-in than
   * that of its token (RFC 9470); null: it will do. The app asks its user for that, and comes again.
   * @param maxAge seconds
   */
  export function stepUp(claims: Claims, acr: string, maxAge?: number): string | null {
    const [has, needs] = [strengths.indexOf(claims.acr ?? ''), strengths.indexOf(acr)];
    const age = Date.now() / 1000 - (claims.auth_time ?? 0);
    if (needs >= 0 && has >= needs && age <= (maxAge ?? Infinity)) return null;
    const wanted = ', acr_values="' + acr + '"' + (maxAge === undefined ? '' : ', max_age="' + maxAge + '"');
    return challenge + ', error="insufficient_user_authentication"' + wanted;
  }
`;

/** Checks JWTs with the server's keys, without asking the server each time. */
export function typescriptForJwt(facts: CheckerFacts): Text {
  const head = typescript`
    import { createRemoteJWKSet, jwtVerify } from 'jose';

    const issuer = ${facts.issuer};
    const api = ${facts.identifier};
    // A key that was revoked is trusted for so many milliseconds at most.
    const keys = createRemoteJWKSet(new URL(${facts.jwks}), { cacheMaxAge: 300_000 });
  `;
  const claimsOf = typescript`
    /** What the token says, or null if it is not one for this API (RFC 9068 section 4). */
    async function claimsOf(token: string): Promise<Claims | null> {
      try {
        const { payload } = await jwtVerify<Claims>(token, keys, {
          issuer,
          audience: api,
          // An ID token is no access token: its audience is an app, and it has no client_id.
          typ: ${facts.typ},
          algorithms: ['RS256', 'ES256'],
          requiredClaims: ['exp', 'sub', 'client_id'],
        });
        return payload;
      } catch (error) {
        const { code = '' } = error as { code?: string };
        // That the keys cannot be had says nothing about the token.
        if (/^ERR_J/.test(code) && !/GENERIC|TIMEOUT|JWKS_INVALID/.test(code)) return null;
        throw error;
      }
    }
  `;
  return joined('\n', head, checking(facts), claimsOf);
}

/** Asks the server about each token. */
export function typescriptForOpaque(facts: CheckerFacts): Text {
  const head = typescript`
    import { env } from 'node:process';

    const api = ${facts.identifier};
    // Those of the app that is this API, as its page says.
    const pair = env.API_CLIENT_ID + ':' + env.API_CLIENT_SECRET;
    const credentials = Buffer.from(pair).toString('base64');
  `;
  const claimsOf = typescript`
    /** What the server says of the token, or null if it is not a live one for this API (RFC 7662). */
    async function claimsOf(token: string): Promise<Claims | null> {
      const answer = await fetch(${facts.introspect}, {
        method: 'POST',
        headers: { authorization: 'Basic ' + credentials },
        body: new URLSearchParams({ token }),
      });
      if (!answer.ok) throw new Error('Introspection answered ' + answer.status);
      const claims = (await answer.json()) as Claims & { active: boolean };
      return claims.active && [claims.aud].flat().includes(api) ? claims : null;
    }
  `;
  return joined('\n', head, checking(facts), claimsOf);
}
