import type { MessageKey } from '../messages/text.ts';
import { once } from '../once.ts';
import list from './common-passwords.json' with { type: 'json' };
import { passwordLimits } from './passwords.ts';

const common = () => once('common-passwords', () => new Set(list.passwords));

/** How passwords are compared with words anybody would try: case and surrounding space do not help. */
const plainForm = (text: string) => text.normalize('NFKC').trim().toLowerCase();

/**
 * What is wrong with a password that somebody chose, if anything. Length counts, kinds of characters
 * do not (NIST SP 800-63B section 5.1.1.2); what everybody uses is refused, and so is what stands next
 * to the password: the person's own user name or e-mail address.
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
