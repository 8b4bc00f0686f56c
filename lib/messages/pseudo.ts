import { en } from './en.ts';
import type { Messages } from './text.ts';

/** Each letter with a mark of its own, so that a sentence without marks is one that nobody can translate. */
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

/** Longer by two fifths or so, as translations are: each vowel twice. */
function mark(text: string): string {
  return text.replace(/[A-Za-z]/g, (letter) => {
    const twice = /[aeiou]/.test(letter) ? 2 : 1;
    return (accented[letter] ?? letter).repeat(twice);
  });
}

/** Words that run from right to left; numbers stay as they are, and so does their order. */
function turn(text: string): string {
  return text.replace(/\p{L}+/gu, (word) => `${override}${mark(word)}${end}`);
}

/**
 * One English message as the pseudo-locale has it: accented, longer, with ends that show whether it
 * was cut, and reading from right to left. Its holes stay as they are.
 */
export function pseudoOf(message: string): string {
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

/** Names stay what they are. */
const names = new Set<string>(['product.name', 'page.title']);

/** English in disguise: shows on every screen what another language would break. */
export const pseudo = Object.fromEntries(
  Object.entries(en).map(([key, message]) => [key, names.has(key) ? message : pseudoOf(message)]),
) as Messages;
