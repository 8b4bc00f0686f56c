import { type RedirectKind, redirectKind, redirectUriFault } from '../oauth/redirect-uri.ts';

/**
 * What a form says about an address while it is typed: why it is refused, or what to know about it.
 */
type AddressJudgement =
  | { fault: string; kind: null; notes: [] }
  | { fault: null; kind: RedirectKind; notes: string[]; needsAcknowledgement: boolean };

/** Judges a redirect URI (RFC 6749 section 3.1.2, RFC 8252, RFC 9700 section 2.1). */
export function judgeRedirectUri(uri: string): AddressJudgement {
  const fault = redirectUriFault(uri);
  if (fault)
    return { fault: `"${uri.slice(0, 200)}" cannot be used. ${fault}`, kind: null, notes: [] };
  const kind = redirectKind(uri);
  return { fault: null, kind, notes: notesOn(uri, kind), needsAcknowledgement: kind === 'http' };
}

const kindNotes: Record<RedirectKind, string[]> = {
  https: [],
  loopback: [
    'Only a program on the same device can receive it. If the app is public, people are asked for consent every time.',
  ],
  'private-use': [
    'Any app on a device can claim this scheme. If the app is public, people are asked for consent every time.',
  ],
  http: [
    'Plain http: anyone on the network can intercept the code. People are asked for consent every time.',
  ],
};

function notesOn(uri: string, kind: RedirectKind): string[] {
  const notes = [...kindNotes[kind]];
  if (uri.includes('*'))
    notes.push("Wildcards aren't supported: * matches only itself. List each URL.");
  if (kind === 'loopback' && /^http:\/\/([a-z0-9-]+\.)*localhost\b/.test(uri)) {
    notes.push(
      'With localhost, any port matches for public apps only; with 127.0.0.1 or [::1] for every app (RFC 8252 section 7.3).',
    );
  }
  if (kind === 'private-use' && !/^[^:]*\./.test(uri)) {
    notes.push(
      'A scheme based on your own domain, such as com.example.app, can’t clash with others (RFC 8252 section 7.1).',
    );
  }
  return notes;
}

/**
 * The fault in a list of redirect URIs, or null. Plain http beyond loopback must be acknowledged.
 */
export function redirectUrisFault(
  uris: readonly string[],
  known: readonly string[],
  acknowledged: boolean,
): string | null {
  if (uris.length > 100) return 'Use 100 addresses or fewer.';
  const twice = uris.find((uri, index) => uris.indexOf(uri) !== index);
  if (twice) return `"${twice.slice(0, 200)}" is listed twice.`;
  for (const uri of uris) {
    const { fault, kind } = judgeRedirectUri(uri);
    if (fault) return fault;
    if (kind === 'http' && !acknowledged && !known.includes(uri)) {
      return `"${uri.slice(0, 200)}" isn't encrypted: anyone on the network can intercept the code. Use https, or accept the risk.`;
    }
  }
  return null;
}
