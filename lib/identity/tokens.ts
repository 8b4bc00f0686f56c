import { type OpenedToken, openToken as open, type TokenKind } from '../oauth/tokens.ts';
import {
  type FoundAccessToken,
  findSeenAccessToken,
  readAccessToken,
} from '../store/access-tokens.ts';
import { type Authorization, findAuthorization } from '../store/authorizations.ts';
import { readRevision } from '../store/revision.ts';
import { isTrusted, knownTokenKeys, tokenKeysAt } from './token-keys.ts';

/** What a text says, when it is a token of ours of one of these kinds; else null. That it lives, its row tells. */
export async function openToken(text: string, ...kinds: TokenKind[]): Promise<OpenedToken | null> {
  const known = open(text, (await knownTokenKeys()).byId);
  // Another process has made a key since; or somebody has made a token up.
  const token =
    known === 'unknown-key' ? open(text, (await tokenKeysAt(await readRevision())).byId) : known;
  return token && token !== 'unknown-key' && kinds.includes(token.kind) ? token : null;
}

/** A code or refresh token that was presented: what it says, and the authorization it belongs to. */
export type Presented = Authorization & Pick<OpenedToken, 'counter' | 'expiresAt'>;

/** The authorization behind a code or refresh token, whatever has become of it; and the revision it was read at. */
export async function findPresented(
  token: OpenedToken | null,
): Promise<{ revision: number; presented: Presented | null }> {
  if (!token) return { revision: await readRevision(), presented: null };
  const { revision, authorization } = await findAuthorization(token.id);
  const { counter, expiresAt, keyId } = token;
  if (!authorization || !(await isTrusted(keyId, revision))) return { revision, presented: null };
  return { revision, presented: { ...authorization, counter, expiresAt } };
}

/** The access token of this text, while it lives; and the revision it was read at. */
export async function findAccessToken(text: string, now: Date): Promise<FoundAccessToken> {
  const seen = await findSeenAccessToken(text, now);
  if (seen) return seen;
  const token = await openToken(text, 'accessToken', 'clientToken');
  if (!token) return { revision: await readRevision(), token: null };
  const found = await readAccessToken(text, token, now);
  return (await isTrusted(token.keyId, found.revision)) ? found : { ...found, token: null };
}
