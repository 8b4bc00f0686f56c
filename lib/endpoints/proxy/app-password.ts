import { proveAppPassword, takesAppPasswords } from '../../access/app-password.ts';
import type { HttpRequest } from '../../http/message.ts';
import { ownAddress, type Sender } from '../../http/network.ts';
import { looksLikeAppPassword } from '../../identity/app-passwords.ts';
import type { Client } from '../../oauth/client.ts';
import { OAuthRefusal } from '../../oauth/errors.ts';
import { once } from '../../once.ts';
import { findInfoUser } from '../../store/access-tokens.ts';
import type { Guarded } from './begin.ts';
import type { Guest } from './told.ts';

/** What a person tells a site with an app password: the same as at a sign-in. */
const scope = 'openid profile email groups';

/**
 * The person whose app password a program sends in `Authorization`: by Basic with their login, or
 * alone by Bearer. Null: it sends none, or the app takes none. Where a path is open, something else
 * than an app password is for the app itself.
 * @throws OAuthRefusal 401 for one that is not good
 */
export async function byAppPassword(
  guarded: Guarded & { open: boolean },
  visitor: Sender,
  request: HttpRequest,
  now: Date,
): Promise<{ key: object; guest: Guest } | null> {
  const { site, client, settings } = guarded;
  const sent = readSent(request.header('authorization'));
  if (!sent || !takesAppPasswords(client, settings)) return null;
  const { login, text } = sent;
  if (guarded.open && !looksLikeAppPassword(text)) return null;
  const address = ownAddress(visitor);
  const proof = await proveAppPassword(client, text, { login, address, now, settings });
  if (proof.fate === 'bad') {
    const { code, reason, wire, facts, cause } = proof.refusal;
    const status = wire.status === 429 ? 429 : 401;
    const headers = { ...wire.headers, ...challengeFor(guarded, request) };
    throw Object.assign(new OAuthRefusal(code, reason, { ...wire, status, headers }, facts), {
      cause,
    });
  }
  const { password, user } = proof;
  Object.assign(request.about, { userId: user.id, behind: 'person' });
  const known = await findInfoUser(user.id);
  if (!known) return null;
  const key = keyOf(client, `${password.id} ${site} ${known.updatedAt.getTime()}`);
  return { key, guest: { client, site, user: known, scope, signIn: null } };
}

/**
 * The object by which the headers of a guest are kept as long as nothing about the person or the
 * app changes: what is read of an app is the same object for that long.
 */
function keyOf(client: Client, said: string): object {
  const byClient = once('app-password-guests', () => new WeakMap<Client, Map<string, object>>());
  const keys = byClient.get(client) ?? new Map<string, object>();
  byClient.set(client, keys);
  const held = keys.get(said) ?? {};
  if (keys.size >= 1000) keys.clear();
  keys.set(said, held);
  return held;
}

/**
 * Asks programs for an app password (RFC 7617), where the app takes them. A script in a browser is
 * not asked: the browser would open a window of its own.
 */
export function challengeFor(
  { client, settings }: Guarded,
  request: HttpRequest,
): Record<Lowercase<string>, string> {
  const isScript = request.header('sec-fetch-mode') !== undefined;
  if (isScript || !takesAppPasswords(client, settings)) return {};
  return { 'www-authenticate': 'Basic realm="App password", charset="UTF-8"' };
}

function readSent(header = ''): { login: string | null; text: string } | null {
  const [, scheme = '', value = ''] = /^(basic|bearer) +(\S{1,1000})$/i.exec(header) ?? [];
  if (value === '') return null;
  if (scheme.toLowerCase() === 'bearer') return { login: null, text: value };
  const pair = Buffer.from(value, 'base64').toString('utf8');
  const at = pair.indexOf(':');
  return at < 0 ? null : { login: pair.slice(0, at), text: pair.slice(at + 1) };
}
