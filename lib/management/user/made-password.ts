import { randomInt } from 'node:crypto';

/** Letters and digits that don't look alike; 20 of them have 99 bits. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';

/** A password that can be read out, and is typed once. */
export const makePassword = (): string => Array.from({ length: 4 }, () => pick(5)).join('-');

const pick = (length: number) =>
  Array.from({ length }, () => letters[randomInt(letters.length)]).join('');
