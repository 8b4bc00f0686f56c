import { keptOutOf } from '../access/visitor.ts';
import { config } from '../config.ts';
import type { Client } from '../oauth/client.ts';
import { idTokenClaims } from '../oauth/id-token.ts';
import { type OwnInIdToken, ownInIdToken } from '../oauth/id-token-room.ts';
import { issuerKnownTo } from '../oauth/old-issuer.ts';
import { grantedIn } from '../oauth/operator-claims.ts';
import { addSeconds, lifetimes } from '../oauth/token-request.ts';
import { userInformation } from '../oauth/userinfo.ts';
import { findInfoUser, type LiveAccessToken } from '../store/access-tokens.ts';
import { findFurtherFacts } from '../store/groups-and-fields.ts';
import { readSettings } from '../store/settings.ts';
import { describeAccessToken } from './introspect.ts';

type Claims = Record<string, unknown>;

/** What an app would be told about a user. */
type ClaimsPreview = {
  /** The page that keeps them out of the app, wherever they are; null if they may use it. */
  keptOut: 'no-access' | 'approval' | null;
  /** Null without scope `openid`. */
  idToken: Claims | null;
  /** The claims that the ID token lacks because it would be too long. */
  leftOut: OwnInIdToken['leftOut'];
  userInformation: Claims;
  /** Null for a public client, which may not use introspection. */
  introspection: Claims | null;
};

/**
 * Placeholder for what exists only with a real sign-in: its session, and the access token that the
 * ID token is tied to.
 */
const example = 'example';

/** What an access token for no API has not. */
const noToken = {
  site: null,
  authorizationId: null,
  grantId: null,
  claims: null,
  audience: [],
  jkt: null,
  lineage: [],
} satisfies Partial<LiveAccessToken>;

/**
 * What a client would be told about a user who signs in now with a password and allows these
 * scopes. Nothing is issued or stored. Null if there is no such user.
 */
export async function previewClaims(
  client: Client,
  userId: string,
  scopes: readonly string[],
  now: Date,
): Promise<ClaimsPreview | null> {
  const user = await findInfoUser(userId);
  if (!user) return null;
  const further = await findFurtherFacts(userId);
  const scope = scopes.join(' ');
  const granted = grantedIn(scope);
  const settings = await readSettings();
  const expiresAt = addSeconds(now, lifetimes(client, settings).accessToken);
  const person = { id: userId, hasFactor: false };
  const session = { authTime: now, signedInAt: now, amr: 'pwd', user: person };
  const anywhere = { ...client, networks: [] };
  const kept = await keptOutOf(anywhere, { address: '', isShared: true, session, settings });
  const signIn = { authTime: now, amr: 'pwd' };
  const facts = { ...signIn, client, user, scope, nonce: null, sessionHash: example };
  const token = { ...noToken, clientId: client.id, client, scope, signIn, user, issuedAt: now };
  const own = ownInIdToken(client, further, granted);
  const beside = {
    issuer: issuerKnownTo(client, config().issuer),
    accessToken: example,
    asked: null,
    own: own.claims,
  };
  return {
    keptOut: kept?.page ?? null,
    idToken: scopes.includes('openid') ? idTokenClaims(facts, beside, now) : null,
    leftOut: own.leftOut,
    userInformation: userInformation(user, client, further, granted),
    introspection:
      client.type === 'public' ? null : describeAccessToken({ ...token, expiresAt }, further),
  };
}
