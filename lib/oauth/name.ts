/*
 * Names and short texts that people have, in every script. What they write with stays: marks,
 * variation selectors, ZERO WIDTH NON-JOINER and JOINER between letters (Unicode 23.2; RFC 5892
 * appendix A.1 and A.2), and sequences of emoji (UTS #51). What only comes along with pasted text
 * goes: blanks and invisible signs around it, and signs without a meaning inside it. What could
 * reorder a name, or ends a line, is refused.
 */

/** Canonical_Combining_Class=Virama: a joiner behind one of these has a meaning, even at the end. */
const virama =
  '\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d3b\\u0d3c\\u0d4d\\u0dca\\u0e3a\\u0eba\\u0f84\\u1039\\u103a\\u1714\\u1715\\u1734\\u17d2\\u1a60\\u1b44\\u1baa\\u1bab\\u1bf2\\u1bf3\\u2d7f\\ua806\\ua82c\\ua8c4\\ua953\\ua9c0\\uaaf6\\uabed';
/** The invisible signs that have a meaning where they stand. */
const meant = [
  // Joiners, and the Mongolian vowel separator.
  '(?<=[\\p{L}\\p{M}])[\\u200c\\u200d\\u180e](?=[\\p{L}\\p{M}])',
  `(?<=[${virama}])[\\u200c\\u200d]`,
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})',
  // The flag of a part of a country is a black flag with letters that nobody sees.
  '\\u{1f3f4}[\\u{e0030}-\\u{e007a}]{2,6}\\u{e007f}',
  // Format characters that are seen, such as the Arabic number sign.
  '[\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}]',
].join('|');
const reordering = '\\u202a-\\u202e\\u2066-\\u2069';
const meantOrNot = new RegExp(`(${meant})|(?![${reordering}])\\p{Cf}`, 'gu');
const refused = new RegExp(`[${reordering}\\p{Cc}\\p{Cs}\\p{Co}\\p{Cn}\\p{Zl}\\p{Zp}]`, 'u');
const everyRefused = new RegExp(refused.source, 'gu');
/** Blanks, letters that nobody sees, and what reorders text. */
const blank = new RegExp(`[${reordering}\\s\\x85\\u115f\\u1160\\u2800\\u3164\\uffa0]`, 'u');

/**
 * A name or address as it is meant: without what only comes along with pasted text, in NFC, and
 * each blank a U+0020. It is not judged here, and not shortened.
 */
export function foldName(typed: string): string {
  const text = typed.normalize('NFC').replace(meantOrNot, (_, kept = '') => kept);
  let [from, to] = [0, text.length];
  while (from < to && blank.test(text.charAt(from))) from += 1;
  while (from < to && blank.test(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to).replace(/\p{Zs}/gu, ' ');
}

/**
 * Reads a name: of a person, a group, an app, or another that people see.
 * @param most how many characters it may have
 * @returns the name as it is stored; null if it is empty, too long, or has something that is refused
 */
export function readName(typed: string, most: number): string | null {
  if (typed.length > 8 * most) return null;
  const name = foldName(typed);
  return name === '' || [...name].length > most || refused.test(name) ? null : name;
}

/** Whether a name that is stored as it is given has only what it needs, whatever its form of Unicode. */
export const isSoundName = (name: string, most: number): boolean =>
  readName(name, most) ===
  name
    .normalize('NFC')
    .replace(/\p{Zs}/gu, ' ')
    .trim();

/** Whether a text of a few lines, stored as it is given, has something in it and nothing refused. */
export const isSoundText = (text: string, most: number): boolean =>
  text.length <= 2 * most &&
  /\S/.test(text) &&
  [...text].length <= most &&
  !refused.test(text.replace(/[\t\r\n]/g, ' '));

/** A name that another program gives, only to be shown: what is refused in it goes, and it is cut. */
export function shownName(given: string, most: number): string {
  const plain = given
    .slice(0, 20 * most)
    .toWellFormed()
    .replace(/\s+/gu, ' ');
  const sound = foldName(plain.replace(everyRefused, ''));
  return foldName([...sound].slice(0, most).join(''));
}

const unseen = /(?!\u200c|\u200d|[\u180e\u{e0030}-\u{e007f}])\p{C}/gu;

/** A text of somebody else for a terminal or a sentence: what would control or reorder it becomes `sign`. */
export const printable = (text: string, sign = '?'): string => text.replace(unseen, sign);
