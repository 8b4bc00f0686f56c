import { looksLikeJwt } from '../oauth/jwt-access-token.ts';
import type { Site } from '../oauth/site.ts';
import { type OpenedToken, type TokenKind, verifyToken } from '../oauth/tokens.ts';
import {
  type FoundAccessToken,
  findSeenAccessToken,
  readAccessToken,
} from '../store/access-tokens.ts';
import { type Authorization, findAuthorization } from '../store/authorizations.ts';
import { readRevision } from '../store/engine/revision.ts';
import { readJwtAccessToken } from './signing.ts';
import { isTrusted, knownTokenKeys, tokenKeysAt } from './token-keys.ts';

/** Checks kind and MAC; null for anything else. Its row says whether it is alive. */
export async function openToken(text: string, ...kinds: TokenKind[]): Promise<OpenedToken | null> {
  const known = verifyToken(text, (await knownTokenKeys()).byId);
  // Either another process has added a key, or the token is forged.
  const token =
    known === 'unknown-key'
      ? verifyToken(text, (await tokenKeysAt(await readRevision())).byId)
      : known;
  return token && token !== 'unknown-key' && kinds.includes(token.kind) ? token : null;
}

/** A presented code or refresh token: its content, and the authorization it belongs to. */
export type Presented = Authorization & Pick<OpenedToken, 'counter' | 'expiresAt' | 'jkt'>;

/** The authorization of a code or refresh token in any state, and the revision it was read at. */
export async function findPresented(
  token: OpenedToken | null,
): Promise<{ revision: number; presented: Presented | null }> {
  if (!token) return { revision: await readRevision(), presented: null };
  const { revision, authorization } = await findAuthorization(token.id);
  const { counter, expiresAt, keyId, jkt } = token;
  if (!authorization || !(await isTrusted(keyId, revision))) return { revision, presented: null };
  return { revision, presented: { ...authorization, counter, expiresAt, jkt } };
}

/** The live access token of this text, and the revision it was read at. */
export async function findAccessToken(text: string, now: Date): Promise<FoundAccessToken> {
  const seen = await findSeenAccessToken(text, now);
  if (seen) return seen;
  if (looksLikeJwt(text)) return findByJwt(text, now);
  const token = await openToken(text, 'accessToken', 'clientToken');
  if (!token) return { revision: await readRevision(), token: null };
  const found = await readAccessToken(text, token, now);
  return (await isTrusted(token.keyId, found.revision)) ? found : { ...found, token: null };
}

/** The same for the cookie of a site, whose app it also has to be. */
export async function findSiteToken(
  text: string,
  site: Site,
  now: Date,
): Promise<FoundAccessToken> {
  const seen = await findSeenAccessToken(text, now, site);
  if (seen) return seen;
  const token = await openToken(text, 'siteToken');
  if (token?.detail !== site) return { revision: await readRevision(), token: null };
  const found = await readAccessToken(text, token, now);
  return (await isTrusted(token.keyId, found.revision)) ? found : { ...found, token: null };
}

/** The signature vouches for the content; the same rows say whether it is alive. */
async function findByJwt(text: string, now: Date): Promise<FoundAccessToken> {
  const revision = await readRevision();
  const token = await readJwtAccessToken(text, revision, now);
  if (!token) return { revision, token: null };
  const found = await readAccessToken(text, token, now);
  // Its key may have been revoked meanwhile.
  return found.revision === revision ? found : findByJwt(text, now);
}
