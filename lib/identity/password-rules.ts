import type { MessageKey } from '../messages/text.ts';
import { once } from '../once.ts';
import list from './common-passwords.json' with { type: 'json' };
import { passwordLimits } from './passwords.ts';

const common = () => once('common-passwords', () => new Set(list.passwords));

/**
 * Normalises a password for comparison with guessable words: case and surrounding space don't help.
 */
const plainForm = (text: string) => text.normalize('NFKC').trim().toLowerCase();

/**
 * The fault in a chosen password, or null. Length matters, character classes don't (NIST SP 800-63B
 * section 5.1.1.2). Common passwords are refused, and so are the user's own username and email
 * address.
 */
export function passwordFault(password: string, own: readonly string[] = []): MessageKey | null {
  if ([...password].length < passwordLimits.min) return 'setup.passwordShort';
  if (password.length > passwordLimits.max) return 'setup.passwordLong';
  const plain = plainForm(password);
  if (own.some((word) => plainForm(word) === plain)) return 'password.own';
  return common().has(plain) || isOneCharacter(plain) ? 'password.common' : null;
}

function isOneCharacter(text: string): boolean {
  return new Set(text).size === 1;
}
