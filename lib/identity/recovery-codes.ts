import { randomInt } from 'node:crypto';
import { digest } from '../oauth/secrets.ts';

/** No 0, 1, I and O: they are read for one another on paper. 32 characters: five bits each. */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
/** So many at a time. */
export const recoveryCodeCount = 10;
const groups = 4;
const groupLength = 4;

/** Ten codes of 80 random bits, which is enough for a plain digest to keep them. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, () =>
    Array.from({ length: groups }, newGroup).join('-'),
  );
}

function newGroup(): string {
  return Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** The form in which a code is stored and looked up, however it was typed; null: it can be none. */
export function recoveryCodeHash(userId: string, typed: string): string | null {
  const plain = typed.toUpperCase().replace(/[^0-9A-Z]/g, '');
  return plain.length === groups * groupLength ? digest(`recovery ${userId} ${plain}`) : null;
}
