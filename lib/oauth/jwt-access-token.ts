import { z } from 'zod';
import { acrOf } from './acr.ts';
import type { Api } from './api.ts';
import { readAskedClaims } from './claims.ts';
import { confirmation, isThumbprint } from './dpop.ts';
import { seconds } from './id-token.ts';
import { mostGroups, ownRoom } from './id-token-room.ts';
import {
  type ClaimRules,
  type Claims,
  type FurtherFacts,
  type Granted,
  groupClaim,
} from './operator-claims.ts';
import { actClaim, actorsOf } from './token-exchange.ts';
import {
  accessDetail,
  clientTokenDetail,
  longestToken,
  readClientTokenDetail,
  type Token,
} from './tokens.ts';

/*
 * JWT access tokens (RFC 9068). Beside what their APIs read in them they say what an opaque token of
 * this server says, so that introspection, user information and revocation treat both alike: `jti` is
 * the id of the authorization and the counter, or that of a client's token and the client's epoch.
 */

/** Keeps ID tokens and access tokens apart (RFC 9068 section 2.1). */
export const jwtType = 'at+jwt';
/** What an API may ask for in its place. It is that of ID tokens, which their claims are told from. */
export const plainJwtType = 'JWT';

/** The type of an API's tokens. */
export const jwtTypeFor = ({ tokenFormat }: Pick<Api, 'tokenFormat'>) =>
  tokenFormat === 'plain-jwt' ? plainJwtType : jwtType;

/** The one that every API has to know (RFC 9068 section 2.1). */
export const jwtAlg = 'RS256';

/** Whether a text may be a JWT: its header begins with `{"`. */
export const looksLikeJwt = (text: string) => text.startsWith('eyJ') && text.length <= longestToken;

/** The audience of a JWT, its issuer, and what it allows. */
type JwtReach = { issuer: string; audience: string; clientId: string; scope: string };
/** What a JWT says of the sign-in behind it. `sub` is what its client knows the user by. */
type JwtSignIn = {
  sub: string;
  authTime: Date;
  amr: string;
  claims: string | null;
  lineage: readonly string[];
};

/** The claims of a user's token. @param groups what `groupsInJwt` made */
export function jwtClaims(
  token: Token,
  reach: JwtReach,
  { sub, authTime, amr, claims, lineage }: JwtSignIn,
  groups: Claims,
): Claims {
  return {
    ...groups,
    ...commonClaims(token, reach),
    sub,
    ...actClaim(actorsOf(reach.clientId, lineage)),
    auth_time: seconds(authTime),
    acr: acrOf(amr, readAskedClaims(claims)?.acr),
    amr: amr.split(' '),
    jti: `${token.id}.${token.counter}`,
  };
}

/** The claims of a token that stands for a client and no user. */
export function clientJwtClaims(issuer: string, audience: string, token: Token): Claims {
  const { clientId, clientEpoch, scope } = readClientTokenDetail(token.detail);
  return {
    ...commonClaims(token, { issuer, audience, clientId, scope }),
    sub: clientId,
    jti: `${token.id}.c${clientEpoch}`,
  };
}

function commonClaims(
  { expiresAt, life, jkt }: Token,
  { issuer, audience, clientId, scope }: JwtReach,
): Claims {
  const exp = seconds(expiresAt);
  return {
    iss: issuer,
    aud: audience,
    client_id: clientId,
    iat: exp - life,
    exp,
    ...(scope !== '' && { scope }),
    ...confirmation(jkt),
  };
}

/**
 * The groups of a user for a JWT, where the scope grants them; null where they are too many to fit
 * into a header. Introspection has them all.
 */
export function groupsInJwt(
  rules: ClaimRules,
  facts: FurtherFacts | null,
  granted: Granted,
): Claims | null {
  // Its API reads tokens of many clients, so the name is the one of RFC 9068 section 2.2.3.1.
  const claim = groupClaim({ ...rules, groupsClaim: 'groups' }, facts, granted);
  const few = Object.values(claim).every((names) => (names as string[]).length <= mostGroups);
  return few && Buffer.byteLength(JSON.stringify(claim)) <= ownRoom ? claim : null;
}

const payload = z.object({
  jti: z.string().max(50),
  aud: z.string(),
  client_id: z.string(),
  scope: z.string().default(''),
  iat: z.number(),
  exp: z.number(),
  cnf: z.object({ jkt: z.string().refine(isThumbprint) }).optional(),
});
const jtiForm = /^([0-9a-f]{32})\.(c?)(\d{1,10})$/;

/** What the claims of such a JWT say, after its signature was checked; null for any other. */
export function readJwtClaims(claims: unknown): Token | null {
  const parsed = payload.safeParse(claims);
  const [, id = '', isClients, number] = jtiForm.exec(parsed.data?.jti ?? '') ?? [];
  if (!parsed.data || id === '') return null;
  const { aud, client_id: clientId, scope, iat, exp, cnf } = parsed.data;
  const reach = { scope, audience: [aud] };
  const times = { expiresAt: new Date(exp * 1000), life: exp - iat, jkt: cnf?.jkt ?? null };
  if (!isClients)
    return {
      kind: 'accessToken',
      id,
      counter: Number(number),
      ...times,
      detail: accessDetail(reach),
    };
  const detail = clientTokenDetail({ ...reach, clientId, clientEpoch: Number(number) });
  return { kind: 'clientToken', id, counter: 0, ...times, detail };
}
