import { config } from '../config.ts';
import { type Signer, signerFor } from '../identity/signing.ts';
import { type Api, apiCalled } from '../oauth/api.ts';
import type { Client } from '../oauth/client.ts';
import { mostGroupsInToken, ownRoom } from '../oauth/id-token-room.ts';
import {
  clientJwtClaims,
  groupsInJwt,
  jwtAlg,
  jwtClaims,
  jwtTypeFor,
} from '../oauth/jwt-access-token.ts';
import { issuerKnownTo } from '../oauth/old-issuer.ts';
import { grantedIn } from '../oauth/operator-claims.ts';
import { strongTokenAlg } from '../oauth/strong-client.ts';
import { subjectOf } from '../oauth/subject.ts';
import { jwtApiIn } from '../oauth/token-target.ts';
import type { Token } from '../oauth/tokens.ts';
import { type Authorization, findAuthorization } from '../store/authorizations.ts';
import { furtherFactsFor } from '../store/groups-and-fields.ts';
import { log } from '../telemetry/log.ts';

/** What is needed to write a token as a JWT: the API that wants JWTs, and the signer. */
export type JwtFor = { api: Api; signer: Signer };

/** Null if the token is to be opaque. A broken key fails here, before anything is consumed. */
export async function jwtFor(
  apis: readonly Api[],
  { strong }: Pick<Client, 'strong'>,
  revision: number,
  at: Date,
): Promise<JwtFor | null> {
  const api = jwtApiIn(apis);
  return api && { api, signer: await signerFor(strong ? strongTokenAlg : jwtAlg, revision, at) };
}

/** The scope, and whose it is. Null if the authorization has not been read yet. */
type Said = { jwt: JwtFor; scope: string; authorization: Authorization | null };

export async function jwtText(
  token: Token,
  { jwt, scope, ...said }: Said,
  { client, revision }: { client: Client; revision: number },
): Promise<string> {
  const authorization = said.authorization ?? (await findAuthorization(token.id)).authorization;
  if (!authorization) throw new Error('A step has an authorization.');
  const { api, signer } = jwt;
  const isOwn = client.defaultApi !== null && apiCalled(client.defaultApi, [api]) !== undefined;
  const groups = await groupsFor(authorization.userId, client, { scope, isOwn }, revision);
  const issuer = issuerKnownTo(client, config().issuer);
  const reach = { issuer, audience: api.identifier, clientId: client.id, scope };
  const sub = subjectOf(client, authorization.userId);
  const claims = jwtClaims(token, reach, { ...authorization, sub }, groups);
  return signer(claims, jwtTypeFor(api));
}

export function clientJwtText(
  token: Token,
  { api, signer }: JwtFor,
  client: Client,
): Promise<string> {
  const issuer = issuerKnownTo(client, config().issuer);
  return signer(clientJwtClaims(issuer, api.identifier, token), jwtTypeFor(api));
}

type Wanted = { scope: string; isOwn: boolean };

async function groupsFor(
  userId: string,
  client: Client,
  { scope, isOwn }: Wanted,
  revision: number,
) {
  const granted = grantedIn(scope);
  const facts = await furtherFactsFor(userId, granted, revision);
  const told = groupsInJwt(client, facts, granted, isOwn);
  if (told) return told;
  const reason = `A JWT has room for ${mostGroupsInToken} groups and ${ownRoom} bytes of them. Introspection returns all.`;
  log().info({ clientId: client.id, leftOut: ['groups'], reason }, 'claims left out of a JWT');
  return {};
}
