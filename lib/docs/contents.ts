import type { Token, Tokens } from 'marked';
import { below, partsOf, plainText } from './markdown.ts';
import { placeOf, type Source } from './source.ts';

/** A page in the navigation: its address, its title and its purpose. */
export type Entry = { href: string; title: string; line: string };
export type Group = { title: string; entries: Entry[] };

/** The navigation, and the titles of all pages by their paths. */
export type Contents = { groups: Group[]; titles: Record<string, string> };

/**
 * Reads the groups of pages from docs/README.md: headings, each with a list of links and a line
 * about each.
 */
export function contentsOf({ file, text }: Source, files: ReadonlySet<string>): Group[] {
  const groups: Group[] = [];
  for (const token of partsOf(text)) {
    if (token.type === 'heading' && token.depth === 2)
      groups.push({ title: plainText(token), entries: [] });
    if (token.type !== 'list') continue;
    for (const item of (token as Tokens.List).items)
      groups.at(-1)?.entries.push(entryOf(item, file, files));
  }
  return groups;
}

function entryOf(item: Tokens.ListItem, file: string, files: ReadonlySet<string>): Entry {
  const [link, ...rest] = item.tokens.flatMap(below);
  if (link?.type !== 'link') throw new Error(`${file}: a line without a link: ${item.text}`);
  const place = placeOf((link as Tokens.Link).href, file, files);
  if (place.kind !== 'page') throw new Error(`${file}: ${item.text} leads to no page.`);
  const text = rest.map((token: Token) => plainText(token)).join('');
  // The name of something, such as `private_key_jwt`, keeps its letters.
  const line = text
    .replace(/^[\s:–-]+/, '')
    .replace(/^\p{Ll}(?=\p{L}*[\s,;:])/u, (letter) => letter.toUpperCase());
  return { href: place.href, title: plainText(link), line };
}
