/** A section of a page in the search index. */
export type IndexEntry = {
  href: string;
  page: string;
  heading: string;
  text: string;
  /** Other terms that people search for, separated by commas. */
  also?: string;
};

/** A section with its texts in lower case. */
export type Section = IndexEntry & {
  lower: Pick<IndexEntry, 'page' | 'heading' | 'text'>;
  /** The other terms, each reduced to its words like a query. */
  names: string[];
};

/** Prepares an index for searching. */
export function prepare(index: readonly IndexEntry[]): Section[] {
  return index.map((entry) => {
    const [page, heading, text] = [entry.page, entry.heading, entry.text].map((each) =>
      each.toLowerCase(),
    ) as [string, string, string];
    const names = (entry.also ?? '').split(',').map((name) => wordsOf(name).join(' '));
    return { ...entry, lower: { page, heading, text }, names };
  });
}

/** A piece of text, and whether it is a search term to highlight. */
export type Run = { text: string; isMarked: boolean };
type Hit = { href: string; page: string; heading: Run[]; text: Run[] };
export type Found = {
  words: string[];
  hits: Hit[];
  /** No section has all the words; the hits have some of them. */
  isPartial: boolean;
};

/** Longer queries are cut, to bound the work for each. */
export const longestQuery = 100;
const mostWords = 8;
export const mostHits = 20;

/** Finds the sections that match a query, the best first. */
export function search(index: readonly Section[], query: string): Found {
  const words = wordsOf(query);
  if (words.length === 0) return { words, hits: [], isPartial: false };
  const scored = index
    .map((entry) => ({ entry, ...scoreOf(entry, words) }))
    .filter(({ found }) => found > 0);
  const whole = scored.filter(({ found }) => found === words.length);
  const isPartial = whole.length === 0 && scored.length > 0;
  const hits = (isPartial ? scored : whole)
    .toSorted((a, b) => b.found - a.found || b.score - a.score)
    .slice(0, mostHits)
    .map(({ entry }) => hitOf(entry, words));
  return { words, hits, isPartial };
}

/** Letters and digits, with what joins them: `gatehouse.yaml`, `redirect_uri`, `127.0.0.1:3000`. */
const word = /[\p{L}\p{N}_/]+(?:[.:-]+[\p{L}\p{N}_/]+)*/gu;

/** Words that appear in questions on any subject. */
const filler = new Set(
  'an and are can do does for from how in is it my of on or our the to what when where which why with you your'.split(
    ' ',
  ),
);

/** The distinct words of a query in lower case, without single letters and filler words. */
function wordsOf(query: string): string[] {
  const asked = query.slice(0, longestQuery).toLowerCase();
  const words = (asked.match(word) ?? []).filter((found) => found.length > 1);
  const telling = words.filter((found) => !filler.has(found));
  return [...new Set(telling.length > 0 ? telling : words)].slice(0, mostWords);
}

/**
 * The number of words that a section contains, and a score of how well it matches; its heading
 * counts most.
 */
function scoreOf(
  { href, lower: { heading, page, text }, names }: Section,
  words: readonly string[],
): { found: number; score: number } {
  // The query is exactly one of the section's other terms.
  if (names.includes(words.join(' '))) return { found: words.length, score: 1000 };
  const scores = words.map((word) => {
    const inHeading = heading === word ? 60 : 30 * weightIn(heading, word);
    const inNames = names.length > 0 ? 20 * weightIn(names.join(' '), word) : 0;
    return inHeading + inNames + 8 * weightIn(page, word) + 3 * weightIn(text, word);
  });
  const sum = scores.reduce((total, score) => total + score, 0);
  return {
    found: scores.filter((score) => score > 0).length,
    // Decisions explain why, which people read after the pages that explain how.
    score: href.startsWith('/docs/decisions') ? sum / 4 : sum,
  };
}

/** 0 if the word is missing, 1 if it is at the beginning of a word, less inside one. */
function weightIn(text: string, word: string): number {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')) return 1;
  return text.includes(word) ? 0.4 : 0;
}

function hitOf({ href, page, heading, text }: IndexEntry, words: readonly string[]): Hit {
  return { href, page, heading: mark(heading, words), text: mark(excerptOf(text, words), words) };
}

const excerptLength = 180;

/** The part of a text around the first match. */
function excerptOf(text: string, words: readonly string[]): string {
  const plain = text.replace(/\s+/g, ' ');
  const lower = plain.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const first = places.length > 0 ? Math.min(...places) : 0;
  const start = first < 60 ? 0 : plain.indexOf(' ', first - 50) + 1;
  const end = start + excerptLength;
  const cut =
    plain.length > end
      ? `${plain.slice(start, plain.lastIndexOf(' ', end))} …`
      : plain.slice(start);
  return start > 0 ? `… ${cut}` : cut;
}

/** Splits a text into pieces, with the matches marked. */
function mark(text: string, words: readonly string[]): Run[] {
  const runs: Run[] = [];
  const lower = text.toLowerCase();
  let from = 0;
  for (;;) {
    const next = nearest(lower, words, from);
    const until = next ? next.at : text.length;
    if (until > from) runs.push({ text: text.slice(from, until), isMarked: false });
    if (!next) return runs;
    runs.push({ text: text.slice(next.at, next.at + next.length), isMarked: true });
    from = next.at + next.length;
  }
}

/** The first match after a position; the longest if several begin there. */
function nearest(text: string, words: readonly string[], from: number) {
  const places = words
    .map((word) => ({ at: text.indexOf(word, from), length: word.length }))
    .filter(({ at }) => at >= 0);
  return places.toSorted((a, b) => a.at - b.at || b.length - a.length)[0];
}
