import { randomInt } from 'node:crypto';
import { digest } from '../oauth/secrets.ts';
import { typedCode } from '../oauth/typed-code.ts';

/** Without 0, 1, I and O, which are easily confused on paper. 32 characters: five bits each. */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
/** Codes per set. */
export const recoveryCodeCount = 10;
const groups = 4;
const groupLength = 4;

/** Ten codes of 80 random bits: enough entropy for a plain digest. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, () =>
    Array.from({ length: groups }, newGroup).join('-'),
  );
}

function newGroup(): string {
  return Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** Under which a code is stored, however it was typed. Null if it can't be a code. */
export function recoveryCodeHash(userId: string, typed: string): string | null {
  const plain = typedCode(typed).replace(/[^0-9A-Z]/g, '');
  return plain.length === groups * groupLength ? digest(`recovery ${userId} ${plain}`) : null;
}
