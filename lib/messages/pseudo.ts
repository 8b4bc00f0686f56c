import { en } from './compiled/en.ts';
import type { Message, Messages, Piece } from './message.ts';

/** Every letter gets an accent, so an unaccented sentence is one that can't be translated. */
const accented: Record<string, string> = Object.fromEntries(
  [
    ['AaBbCcDdEeFfGgHhIiJjKkLlMm', 'ÅåƁƀÇçÐðÉéƑƒĜĝĤĥÎîĴĵĶķĻļṀṁ'],
    ['NnOoPpQqRrSsTtUuVvWwXxYyZz', 'ÑñÖöÞþǪǫŔŕŠšŢţÛûṼṽŴŵẊẋÝýŽž'],
  ].flatMap(([plain = '', marked = '']) =>
    [...plain].map((letter, index) => [letter, [...marked][index] ?? letter]),
  ),
);

const override = '\u202E';
const end = '\u202C';

/** About two fifths longer, like translations: every vowel doubled. */
function mark(text: string): string {
  return text.replace(/[A-Za-z]/g, (letter) => {
    const twice = /[aeiou]/.test(letter) ? 2 : 1;
    return (accented[letter] ?? letter).repeat(twice);
  });
}

/** Right-to-left words; numbers and their order stay. */
function turn(text: string): string {
  return text.replace(/\p{L}+/gu, (word) => `${override}${mark(word)}${end}`);
}

/**
 * One English message in the pseudo-locale: accented, longer, with end marks that show truncation,
 * and right to left. What is filled in stays.
 */
function pseudoOf(message: Message): Message {
  if (!hasWords(message)) return message;
  return ['[!! ', ...piecesOf(turned(message)), ' !!]'];
}

const piecesOf = (message: Message): readonly Piece[] =>
  typeof message === 'string' ? [message] : message;

function hasWords(message: Message): boolean {
  return piecesOf(message).some((piece) => {
    if (typeof piece === 'string') return /\p{L}/u.test(piece);
    return 'cases' in piece && Object.values(piece.cases).some(hasWords);
  });
}

function turned(message: Message): Message {
  return typeof message === 'string' ? turn(message) : message.map(turnedPiece);
}

function turnedPiece(piece: Piece): Piece {
  if (typeof piece === 'string') return turn(piece);
  if (!('cases' in piece)) return piece;
  const cases = Object.entries(piece.cases).map(([name, each]) => [name, turned(each)]);
  return { ...piece, cases: Object.fromEntries(cases) };
}

/** Names stay unchanged. */
const names = new Set<string>(['product.name', 'page.title']);

let made: Messages | undefined;

/** The pseudo-locale: shows on every screen what another language would break. Made when the first one is, and for few. */
export function pseudo(): Messages {
  made ??= Object.fromEntries(
    Object.entries(en).map(([key, message]) => [key, names.has(key) ? message : pseudoOf(message)]),
  ) as Messages;
  return made;
}
