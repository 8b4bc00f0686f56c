import { randomInt } from 'node:crypto';

/** Without look-alikes; 20 characters are 99 bits. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';

/** A password for somebody to read out and type once. */
export const makePassword = (): string => Array.from({ length: 4 }, () => pick(5)).join('-');

const pick = (length: number) =>
  Array.from({ length }, () => letters[randomInt(letters.length)]).join('');
