import { ofRule } from '../../management/rule-fault.ts';
import { type Sentence, sentence } from '../../messages/sentence.ts';
import { redirectKind, redirectUriFault } from '../../oauth/redirect-uri.ts';
import { isPlaceholder } from '../placeholder.ts';

/** The addresses that a client keeps, and notes on the others. */
type Kept = { uris: string[]; notes: Sentence[] };

/** The maximum number of a client's addresses that are read and kept. */
const most = 100;

/**
 * Turns the redirect URIs of a client elsewhere into redirect URIs here, which are compared as a
 * whole. One that begins with `/` is appended to the client's root URL. One that ends with `*` is
 * kept without the `*`. Nothing becomes allowed that was not allowed there.
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
  if (isPlaceholder(whole)) return void notes.push(sentence('moved.address.variable', { address }));
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
