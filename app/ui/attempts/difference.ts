/** The text before, within and after the part in which two texts differ. */
export type Difference = { before: string; differing: string; after: string };

/** Whether this is a name, such as a scope, rather than an address or a description in words. */
const isWord = (text: string) => /^[\w.-]+$/.test(text);

/**
 * Marks where `text` differs from the most similar of `others`: everything between their common
 * beginning and their common end. Linear in the length of the texts.
 */
export function differenceFrom(text: string, others: readonly string[]): Difference {
  // Part of a name says nothing about the whole, and a secret is described, not shown.
  if ([text, ...others].every(isWord) || text.includes('(masked)'))
    return { before: '', differing: text, after: '' };
  const candidates = others.map((other) => between(text, other));
  const [best] = candidates.sort((one, other) => one.differing.length - other.differing.length);
  return best ?? { before: '', differing: text, after: '' };
}

function between(text: string, other: string): Difference {
  const shorter = Math.min(text.length, other.length);
  let start = 0;
  while (start < shorter && text[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && text.at(-1 - end) === other.at(-1 - end)) end += 1;
  const last = text.length - end;
  return {
    before: text.slice(0, start),
    differing: text.slice(start, last),
    after: text.slice(last),
  };
}
