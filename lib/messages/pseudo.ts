import { en } from './compiled/en.ts';
import type { Message, Messages, Piece } from './message.ts';

/** Every letter gets an accent, so a sentence without accents is one that bypasses translation. */
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

/** Doubles every vowel: about two fifths longer, as translations can be. */
function mark(text: string): string {
  return text.replace(/[A-Za-z]/g, (letter) => {
    const twice = /[aeiou]/.test(letter) ? 2 : 1;
    return (accented[letter] ?? letter).repeat(twice);
  });
}

/** Makes words right-to-left; numbers and their order stay. */
function turn(text: string): string {
  return text.replace(/\p{L}+/gu, (word) => `${override}${mark(word)}${end}`);
}

/**
 * One English message in the pseudo-locale: accented, longer, right to left, and with end marks
 * that reveal truncation. Values filled in stay as they are.
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

/**
 * The pseudo-locale: reveals on every screen what another language would break. Made on first use,
 * because few need it.
 */
export function pseudo(): Messages {
  made ??= Object.fromEntries(
    Object.entries(en).map(([key, message]) => [key, names.has(key) ? message : pseudoOf(message)]),
  ) as Messages;
  return made;
}
