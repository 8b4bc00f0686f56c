import { stripBidi } from './strip-bidi.ts';

/** The number of monogram colours, which are defined in public/gatehouse.css. */
export const monogramColours = 12;

/**
 * What represents an app or a user without a picture: a letter, and a colour that stays if they are
 * renamed.
 */
export function monogramOf(id: string, name: string): { letter: string; colour: number } {
  // FNV-1a.
  let sum = 0x811c9dc5;
  for (const letter of id) sum = Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return { letter: initialOf(name), colour: (sum >>> 8) % monogramColours };
}

/** The first grapheme: an emoji or an accented letter counts as one. */
function initialOf(name: string): string {
  const [first] = new Intl.Segmenter().segment(stripBidi(name).trim());
  return first?.segment.toLocaleUpperCase() ?? '?';
}
