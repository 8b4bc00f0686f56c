import { en } from './en.ts';
import type { Messages } from './text.ts';

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
 * and right to left. Placeholders stay.
 */
function pseudoOf(message: string): string {
  const variant = /^(one|other): /;
  if (variant.test(message)) {
    const inDisguise = (part: string) =>
      (variant.exec(part)?.[0] ?? '') + pseudoOf(part.replace(variant, ''));
    return message.split(' | ').map(inDisguise).join(' | ');
  }
  if (!/\p{L}/u.test(message.replace(/\{\w+\}/g, ''))) return message;
  const parts = message
    .split(/(\{\w+\})/)
    .map((part, index) => (index % 2 === 1 ? part : turn(part)));
  return `[!! ${parts.join('')} !!]`;
}

/** Names stay unchanged. */
const names = new Set<string>(['product.name', 'page.title']);

/** The pseudo-locale: shows on every screen what another language would break. */
export const pseudo = Object.fromEntries(
  Object.entries(en).map(([key, message]) => [key, names.has(key) ? message : pseudoOf(message)]),
) as Messages;
