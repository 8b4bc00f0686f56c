import { z } from 'zod';
import { acrOf } from './acr.ts';
import type { Api } from './api.ts';
import { readAskedClaims } from './claims.ts';
import { confirmation, isThumbprint } from './dpop.ts';
import { epochSeconds } from './id-token.ts';
import { mostGroupsInToken, ownRoom } from './id-token-room.ts';
import {
  type ClaimRules,
  type Claims,
  type FurtherFacts,
  type Granted,
  groupClaim,
} from './operator-claims.ts';
import { isKnownTime } from './sign-in-rules.ts';
import { actClaim, actorsOf } from './token-exchange.ts';
import {
  accessDetail,
  clientTokenDetail,
  longestToken,
  readClientTokenDetail,
  type Token,
} from './tokens.ts';

/*
 * JWT access tokens (RFC 9068). Besides what APIs read in them, they contain everything that an
 * opaque token of this server contains, so that introspection, user information and revocation
 * treat both alike. `jti` is the id of the authorization and the counter or, for a client's own
 * token, the token's id and the client's epoch.
 */

/** Distinguishes access tokens from ID tokens (RFC 9068 section 2.1). */
export const jwtType = 'at+jwt';
/** The type that an API may choose instead. ID tokens have it too, and differ in their claims. */
export const plainJwtType = 'JWT';

/** The `typ` of an API's tokens. */
export const jwtTypeFor = ({ tokenFormat }: Pick<Api, 'tokenFormat'>) =>
  tokenFormat === 'plain-jwt' ? plainJwtType : jwtType;

/** The algorithm that every API must support (RFC 9068 section 2.1). */
export const jwtAlg = 'RS256';

/** Whether a text could be a JWT: its header begins with `{"`. */
export const looksLikeJwt = (text: string) => text.startsWith('eyJ') && text.length <= longestToken;

type JwtReach = { issuer: string; audience: string; clientId: string; scope: string };
/** The sign-in behind a JWT. `sub` is the client's name for the user. */
type JwtSignIn = {
  sub: string;
  authTime: Date;
  amr: string;
  claims: string | null;
  lineage: readonly string[];
};

/** The claims of a user's token. @param groups the result of `groupsInJwt` */
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
    ...(isKnownTime(authTime) && { auth_time: epochSeconds(authTime) }),
    acr: acrOf(amr, readAskedClaims(claims)?.acr),
    amr: amr.split(' '),
    jti: `${token.id}.${token.counter}`,
  };
}

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
  const exp = epochSeconds(expiresAt);
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
 * A user's groups for a JWT, if the scope grants them; null if they are too many to fit into a
 * header. Introspection returns them all.
 * @param isOwn whether the API is the default API of the client, which then reads the token itself
 */
export function groupsInJwt(
  rules: ClaimRules,
  facts: FurtherFacts | null,
  granted: Granted,
  isOwn: boolean,
): Claims | null {
  // Another API reads tokens of many clients, so the claim has the name from RFC 9068 section
  // 2.2.3.1.
  const groupsClaim = isOwn ? rules.groupsClaim : 'groups';
  const claim = groupClaim({ ...rules, groupsClaim }, facts, granted);
  const few = Object.values(claim).every(
    (names) => (names as string[]).length <= mostGroupsInToken,
  );
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

/** Reads the claims of such a JWT, once its signature has been checked; null for any other JWT. */
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
