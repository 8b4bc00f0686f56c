import { type Sentence, sentence } from '../../../messages/sentence.ts';
import { redirectKind, redirectUriFault } from '../../../oauth/redirect-uri.ts';
import { ofRule } from '../../rule-fault.ts';

/** Addresses that a client keeps, and what became of the others. */
type Kept = { uris: string[]; notes: Sentence[] };

/** So many addresses of a client are looked at, and kept. */
const most = 100;

/**
 * The redirect URIs of a client elsewhere as they are here, where each is compared as a whole. One
 * that begins with `/` stands behind the root URL of the client; of one that ends with `*` only what
 * stands before it is kept. Nothing is allowed here that was not allowed there.
 */
export function keptAddresses(said: readonly string[], root: string | undefined): Kept {
  const kept: Kept = { uris: [], notes: [] };
  for (const uri of said.slice(0, most)) keep(uri, root, kept);
  if (said.length > most) kept.notes.push(sentence('refused.address.tooMany'));
  return kept;
}

function keep(said: string, root: string | undefined, { uris, notes }: Kept): void {
  const address = said.slice(0, 200);
  if (said.startsWith('/') && !root)
    return void notes.push(sentence('moved.address.relative', { address }));
  const whole = said.startsWith('/') ? `${root}${said}` : said;
  const uri = whole.endsWith('*') ? whole.slice(0, -1) : whole;
  if (uri === '') return void notes.push(sentence('moved.address.any'));
  const fault = redirectUriFault(uri);
  if (fault)
    return void notes.push(sentence('moved.address.left', { address, fault: ofRule(fault) }));
  if (redirectKind(uri) === 'http')
    return void notes.push(sentence('moved.address.plainHttp', { address }));
  if (uri !== whole)
    notes.push(sentence('moved.address.wildcard', { address, kept: uri.slice(0, 200) }));
  if (!uris.includes(uri)) uris.push(uri);
}
