import { isBackground } from './source.ts';
import { isFiller, nearTo, piecesOf, spellings, type Word, wordsOf } from './words.ts';

/** A section of a page, as the search reads it. */
export type IndexEntry = {
  href: string;
  page: string;
  heading: string;
  text: string;
  /** Other terms that people search for, separated by commas. */
  also?: string;
};

/** A name of a section: its heading, or another term that people search for. */
type Name = { section: number; terms: ReadonlySet<string> };

/** An index, ready to be searched. */
export type SearchIndex = {
  entries: readonly IndexEntry[];
  /** The sections that have a term, each with how much it counts there. */
  places: ReadonlyMap<string, ReadonlyMap<number, number>>;
  names: ReadonlyMap<string, readonly Name[]>;
};

/** How much a word counts by where it is, and at most if it comes again. */
const worth = { text: [1, 2.5], page: [2, 4], also: [4, 6], heading: [5, 9] } as const;

/** Prepares an index for searching. */
export function prepare(entries: readonly IndexEntry[]): SearchIndex {
  const places = new Map<string, Map<number, number>>();
  const names = new Map<string, Name[]>();
  for (const [section, entry] of entries.entries()) {
    for (const field of ['text', 'page', 'also', 'heading'] as const)
      for (const term of wordsOf(entry[field] ?? '').flatMap(termsOf)) {
        const here = places.get(term) ?? new Map<number, number>();
        places.set(term, here);
        const before = here.get(section) ?? 0;
        const [once, most] = worth[field];
        here.set(section, Math.max(before, Math.min(before + once, most)));
      }
    for (const named of [entry.heading, ...(entry.also?.split(',') ?? [])]) {
      const terms = new Set(telling(wordsOf(named)).map(({ term }) => term));
      const name = { section, terms };
      for (const term of terms) namesWith(names, term).push(name);
    }
  }
  return { entries, places, names };
}

function namesWith(names: Map<string, Name[]>, term: string): Name[] {
  const known = names.get(term) ?? [];
  names.set(term, known);
  return known;
}

const termsOf = ({ term, parts }: Word): string[] => [...new Set([term, ...parts])];

/** The words that say what is sought; all of them, if none does. */
function telling(words: readonly Word[]): readonly Word[] {
  const some = words.filter((word) => !isFiller(word));
  return some.length > 0 ? some : words;
}

/** A piece of text, and whether it is a search term to highlight. */
export type Run = { text: string; isMarked: boolean };
type Hit = { href: string; page: string; heading: Run[]; text: Run[] };
export type Found = {
  words: string[];
  hits: Hit[];
  /** No section has all the words; the hits have some of them. */
  isPartial: boolean;
  /** Each word is somewhere, or there are enough of them to be a question, not a name. */
  isQuestion: boolean;
};

/** Longer queries are cut, to bound the work for each. */
export const longestQuery = 100;
const mostWords = 8;
export const mostHits = 20;
/** After the first few, sections that match much worse than the best are left out. */
const alwaysShown = 5;
const worthShowing = 0.1;

/** Finds the sections that match a query, the best first. */
export function search(index: SearchIndex, query: string): Found {
  const asked = new Map(
    telling(wordsOf(query.slice(0, longestQuery))).map((word) => [word.term, word]),
  );
  const sought = [...asked.values()].slice(0, mostWords);
  const words = sought.map(({ written }) => written);
  const meanings = sought.map((word) => meaningsOf(index, word));
  const scored = [...scoresOf(index, meanings)];
  const whole = scored.filter(([, { found }]) => found === sought.length);
  const isPartial = whole.length === 0 && scored.length > 0;
  const ranked = scored.toSorted(([, a], [, b]) => b.score - a.score);
  const least = (ranked[0]?.[1].score ?? 0) * worthShowing;
  const hits = ranked
    .filter(([, { score }], rank) => rank < alwaysShown || score >= least)
    .slice(0, mostHits)
    .map(([section]) => hitOf(entryAt(index, section), words));
  const isQuestion = words.length > 2 || meanings.every(({ isKnown }) => isKnown);
  return { words, hits, isPartial, isQuestion };
}

const entryAt = ({ entries }: SearchIndex, section: number) => entries[section] as IndexEntry;

/** What a sought word can mean: terms of the index, with how near they are, and how rare it is. */
type Meanings = { weight: number; terms: ReadonlyMap<string, number>; isKnown: boolean };

/** A part of a word counts less than the word, and one that means much the same less than a part. */
const nearness = { part: 0.6, partOfKnown: 0.15, resembling: 0.6, near: 0.35 };

function meaningsOf({ entries, places }: SearchIndex, word: Word): Meanings {
  const { term, parts } = word;
  const terms = new Map<string, number>();
  const add = (each: string, near: number) => {
    if (places.has(each)) terms.set(each, Math.max(near, terms.get(each) ?? 0));
  };
  add(term, 1);
  for (const part of parts) add(part, terms.has(term) ? nearness.partOfKnown : nearness.part);
  const unknown = places.has(term) ? [] : [term, ...parts].filter((each) => !places.has(each));
  const known = unknown.length > 0 ? [...places.keys(), ...spellings.keys()] : [];
  const alike = new Map(unknown.map((one) => [one, resembling(known, one)]));
  for (const each of [...alike.values()].flat())
    add(spellings.get(each) ?? each, nearness.resembling);
  // "client-13a7" is an id: that one half of it is a word doesn't make it one.
  const isKnown =
    places.has(term) ||
    piecesOf(word).every((piece) => places.has(piece) || (alike.get(piece) ?? []).length > 0);
  const sizes = [...terms.keys()].map((each) => places.get(each)?.size ?? 0);
  const size = places.get(term)?.size ?? Math.min(entries.length, ...sizes);
  for (const each of [term, ...terms.keys()])
    for (const other of nearTo(each)) add(other, nearness.near);
  return { weight: Math.log(1 + entries.length / size), terms, isKnown };
}

/** Words that begin like one that is nowhere; else those in which a letter differs. */
function resembling(known: readonly string[], term: string): string[] {
  if (term.length < 3) return [];
  const longer = known.filter((each) => each.startsWith(term));
  if (longer.length > 0 || term.length < 5) return longer;
  return known.filter((each) => isOneLetterOff(each, term));
}

/** Whether one letter more, less, or other, or two that are swapped, make one word of the other. */
function isOneLetterOff(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const [rest, otherRest] = [one.slice(at), other.slice(at)];
  if (rest.slice(1) === otherRest.slice(1)) return true;
  if (rest.slice(1) === otherRest || rest === otherRest.slice(1)) return true;
  return (
    rest[0] === otherRest[1] && rest[1] === otherRest[0] && rest.slice(2) === otherRest.slice(2)
  );
}

/** How much it counts that a name of the section is what is sought, or partly. */
const byName = { whole: 50, partly: 14 };

type Score = { found: number; score: number };

/** How well each section matches, by its words and by its names. */
function scoresOf(index: SearchIndex, meanings: readonly Meanings[]): Map<number, Score> {
  const whole = meanings.reduce((total, { weight }) => total + weight, 0);
  const byWords = new Map<number, Score & { covered: number }>();
  for (const { weight, terms } of meanings)
    for (const [section, near] of nearestPlaces(index, terms)) {
      const { found, score, covered } = byWords.get(section) ?? { found: 0, score: 0, covered: 0 };
      const sum = { found: found + 1, score: score + weight * near, covered: covered + weight };
      byWords.set(section, sum);
    }
  const likeness = likenessOfNames(index, meanings, whole);
  return new Map(
    [...byWords].map(([section, { found, score, covered }]) => {
      const standing = standingOf(entryAt(index, section));
      const like = likeness.get(section) ?? 0;
      const named = whole * (like === 1 ? byName.whole : byName.partly * like ** 2);
      return [section, { found, score: standing * score * (covered / whole) ** 2 + named }];
    }),
  );
}

/** The sections that have one of these terms, with the best that one of them counts there. */
function nearestPlaces({ places }: SearchIndex, terms: ReadonlyMap<string, number>) {
  const best = new Map<number, number>();
  for (const [term, near] of terms)
    for (const [section, counted] of places.get(term) ?? [])
      best.set(section, Math.max(near * counted, best.get(section) ?? 0));
  return best;
}

/** For each section, how much of its likest name is in the query, and of the query in the name. */
function likenessOfNames(
  index: SearchIndex,
  meanings: readonly Meanings[],
  whole: number,
): Map<number, number> {
  const shared = new Map<Name, { sought: number; known: Set<string> }>();
  for (const { weight, terms } of meanings) {
    const reached = new Map<Name, [near: number, term: string]>();
    for (const [term, near] of terms)
      for (const name of index.names.get(term) ?? [])
        if (near > (reached.get(name)?.[0] ?? 0)) reached.set(name, [near, term]);
    for (const [name, [near, term]] of reached) {
      const { sought, known } = shared.get(name) ?? { sought: 0, known: new Set<string>() };
      shared.set(name, { sought: sought + weight * near, known: known.add(term) });
    }
  }
  const likeness = new Map<number, number>();
  for (const [name, { sought, known }] of shared) {
    const others = [...name.terms].filter((term) => !known.has(term));
    const more = others.reduce((total, term) => total + rarity(index, term), 0);
    const like = others.length > 0 || sought < whole ? sought / (whole + more) : 1;
    likeness.set(name.section, Math.max(like, likeness.get(name.section) ?? 0));
  }
  return likeness;
}

const rarity = ({ entries, places }: SearchIndex, term: string) =>
  Math.log(1 + entries.length / (places.get(term)?.size ?? 1));

/**
 * How much the words of a section count if it is not named. Decisions and measurements say why,
 * which people read after the pages that say how; a recipe is for those who name it.
 */
function standingOf({ href }: IndexEntry): number {
  if (isBackground(href.replace(/^\/docs\//, ''))) return 0.3;
  if (/^\/docs\/recipes\/./.test(href)) return 0.4;
  return /^\/docs\/(command-line|api\/.)/.test(href) ? 0.5 : 1;
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
