import { type Sentence, sentence } from '../messages/sentence.ts';
import { type RedirectKind, redirectKind, redirectUriFault } from '../oauth/redirect-uri.ts';
import type { Wording } from '../oauth/wording.ts';
import { ofRule } from './rule-fault.ts';

/**
 * What a form says about an address while it is typed: why it is refused, or what to know about it.
 */
type AddressJudgement =
  | { fault: Wording; kind: null; notes: [] }
  | { fault: null; kind: RedirectKind; notes: AddressNote[]; needsAcknowledgement: boolean };

/** What to know about an address that is not refused: a message of the dashboard. */
export type AddressNote =
  `address.${'loopback' | 'privateUse' | 'http' | 'localhost' | 'undotted'}`;

/** Judges a redirect URI (RFC 6749 section 3.1.2, RFC 8252, RFC 9700 section 2.1). */
export function judgeRedirectUri(uri: string): AddressJudgement {
  const fault = redirectUriFault(uri);
  if (fault) return { fault, kind: null, notes: [] };
  const kind = redirectKind(uri);
  return { fault: null, kind, notes: notesOn(uri, kind), needsAcknowledgement: kind === 'http' };
}

const kindNotes: Record<RedirectKind, AddressNote[]> = {
  https: [],
  loopback: ['address.loopback'],
  'private-use': ['address.privateUse'],
  http: ['address.http'],
};

function notesOn(uri: string, kind: RedirectKind): AddressNote[] {
  const notes = [...kindNotes[kind]];
  if (kind === 'loopback' && /^http:\/\/([a-z0-9-]+\.)*localhost\b/i.test(uri))
    notes.push('address.localhost');
  if (kind === 'private-use' && !/^[^:]*\./.test(uri)) notes.push('address.undotted');
  return notes;
}

/** Null: none. Plain http outside this device must be acknowledged. */
export function redirectUrisFault(
  uris: readonly string[],
  known: readonly string[],
  acknowledged: boolean,
): Sentence | null {
  if (uris.length > 100) return sentence('refused.address.tooMany');
  const twice = uris.find((uri, index) => uris.indexOf(uri) !== index);
  if (twice) return sentence('refused.address.twice', { address: twice.slice(0, 200) });
  for (const uri of uris) {
    const { fault, kind } = judgeRedirectUri(uri);
    const address = uri.slice(0, 200);
    if (fault) return sentence('refused.address.unusable', { address, fault: ofRule(fault) });
    if (kind === 'http' && !acknowledged && !known.includes(uri))
      return sentence('refused.address.plainHttp', { address });
  }
  return null;
}
