import { randomInt } from 'node:crypto';
import { digest } from '../oauth/secrets.ts';
import { typedCode } from '../oauth/typed-code.ts';

/** The first group, by which people and scanners recognise an app password. */
export const appPasswordMark = 'ghap';
/**
 * Crockford's base 32: without i, l, o and u, so that whoever hears or reads one of the first three
 * means a digit. Five bits each.
 */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const groups = 7;
const groupLength = 4;
const form = new RegExp(`^${appPasswordMark}[${alphabet}]{${groups * groupLength}}$`);

/** A new app password of 140 random bits, such as ghap-7k3m-…: with dashes, in groups of four. */
export function newAppPassword(): string {
  return [appPasswordMark, ...Array.from({ length: groups }, newGroup)].join('-');
}

function newGroup(): string {
  return Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** Without what people and programs change: capitals, dashes, blanks, and letters that mean digits. */
const plainOf = (typed: string) =>
  typedCode(typed).toLowerCase().replace(/o/g, '0').replace(/[il]/g, '1');

/** The digest by which a password is found, however it was typed. Null if it can't be one. */
export function appPasswordHash(typed: string): string | null {
  const plain = plainOf(typed);
  return form.test(plain) ? digest(`app-password ${plain}`) : null;
}

/** Whether someone typed an app password, or most of one, where it is not accepted. */
export const looksLikeAppPassword = (typed: string): boolean =>
  new RegExp(`^${appPasswordMark}\\w{20,}$`).test(plainOf(typed));
