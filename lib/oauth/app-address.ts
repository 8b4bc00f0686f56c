import type { Client } from './client.ts';
import { type Wording, wording } from './wording.ts';

/*
 * Addresses of apps, as the apps send them: where answers go, where people go after a sign-out,
 * where a sign-in begins, and where this server calls. They are stored and compared as they are
 * written (RFC 6749 section 3.1.2.3, RFC 3986 section 6.2.1), so what an app sends can also be
 * registered.
 */

const longest = 2000;

/** Schemes that run or display something in the browser instead of reaching an app. */
const forbiddenSchemes =
  /^(javascript|data|vbscript|file|blob|about|filesystem|view-source|ftp|wss?):/i;

/**
 * The fault in an address that an app may register, or null. Besides a fault of its form, it is a
 * pattern, which would match nothing, or one that no browser can open.
 */
export function appAddressFault(text: string): Wording | null {
  return patternFault(text) ?? followFault(text);
}

/** What a fault says to write instead, which can be registered. */
export const normalIn = ({ values }: Wording): string | undefined =>
  typeof values.normal === 'string' ? values.normal : undefined;

function patternFault(text: string): Wording | null {
  if (/^urn:/i.test(text))
    return wording(
      'refused.address.urn',
      'No browser can open it. Give a program on a device a loopback address such as http://127.0.0.1/callback, where any port matches, or the device grant.',
    );
  return /[*{}<>]/.test(text)
    ? wording(
        'refused.address.pattern',
        'It is a pattern. Addresses are compared as a whole, so list each one. Only the port of a loopback address may vary.',
      )
    : null;
}

/**
 * The fault in an address that a browser is to be sent to, or null. Apart from a default port,
 * capitals in scheme and host, and an empty path, it must be in the form to which browsers bring
 * it, so that its text says where it leads.
 */
function followFault(text: string): Wording | null {
  if (text.length > longest)
    return wording('refused.address.long', 'It is longer than 2000 characters.');
  if (!/^[\x21-\x7e]+$/.test(text)) return scriptFault(text);
  if (text.includes('\\')) return wording('refused.address.backslash', 'It contains a backslash.');
  if (text.includes('#'))
    return wording('refused.address.fragment', 'It has a fragment. Leave out the part from # on.');
  if (!/^[a-z][a-z0-9+.-]*:/i.test(text) || !URL.canParse(text))
    return wording('refused.address.relative', 'It is not an absolute URI.');
  if (forbiddenSchemes.test(text))
    return wording('refused.address.scheme', 'Redirects to this scheme are not allowed.');
  return urlFault(text, new URL(text));
}

/** For a host or path in another script: how browsers write it. */
function scriptFault(text: string): Wording {
  const normal = /[\s\p{C}]/u.test(text) ? undefined : URL.parse(text)?.href;
  return normal !== undefined && followFault(normal) === null
    ? wording(
        'refused.address.script',
        'It contains non-ASCII characters. Write it as browsers send it: {normal}',
        { normal },
      )
    : wording(
        'refused.address.characters',
        'It contains white space, control or non-ASCII characters.',
      );
}

function urlFault(text: string, url: URL): Wording | null {
  if (url.username || url.password || /^[^:]+:\/\/[^/?]*@/.test(text))
    return wording('refused.address.credentials', 'It contains a username or password.');
  if (/^https?:/i.test(text) && !url.hostname)
    return wording('refused.address.host', 'It has no host.');
  if (url.href === withoutVariety(text)) return null;
  return wording('refused.address.form', 'It is not in normal form; write {normal}', {
    normal: url.href,
  });
}

/** The text without what apps write differently: RFC 3986 sections 6.2.2.1 and 6.2.3. */
function withoutVariety(text: string): string {
  const [, scheme = '', authority = '', rest = ''] =
    /^(https?):\/\/([^/?]*)(.*)$/i.exec(text) ?? [];
  if (scheme === '') return text.replace(/^[^:]*/, (own) => own.toLowerCase());
  const name = scheme.toLowerCase();
  const host = authority.toLowerCase().replace(name === 'https' ? /:(443)?$/ : /:(80)?$/, '');
  return `${name}://${host}${rest.startsWith('/') ? rest : `/${rest}`}`;
}

const loopbackLiteral = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:\/|(?=\?)|$)/i;
const loopbackName = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(?:\/|(?=\?)|$)/i;

/**
 * Whether an address that a client of this type sends is one of its registered ones: the same
 * string, or the same loopback address at any port (RFC 8252 section 7.3), with or without a slash
 * as its path. The RFC means IP literals, but installed apps use `localhost` just as often, and
 * have no secret to lose.
 */
export function isRegistered(
  sent: string,
  registered: readonly string[],
  type: Client['type'],
): boolean {
  if (registered.includes(sent)) return followFault(sent) === null;
  const loopback = type === 'public' ? loopbackName : loopbackLiteral;
  if (!loopback.test(sent) || followFault(sent) !== null) return false;
  const anyPort = (uri: string) =>
    uri.replace(loopback, (_, host: string) => `http://${host.toLowerCase()}/`);
  return registered.some((uri) => loopback.test(uri) && anyPort(uri) === anyPort(sent));
}
