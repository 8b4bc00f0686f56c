import { config } from '../config.ts';
import type { MessageKey } from '../messages/keys.ts';
import { productName } from '../messages/text.ts';
import { log } from '../telemetry/log.ts';
import { isBreached } from './breached.ts';
import { foldBlanks } from './hashes/hash.ts';
import { guessesOf } from './password-strength.ts';
import { passwordLimits } from './passwords.ts';

/** The guesses a password has to withstand: eight random characters do, a word doesn't. */
const enough = 1e8;

type PasswordOwner = { username: string; email: string; name?: string | null };

/**
 * Normalises a password for comparison with guessable words: case and surrounding space don't help.
 */
const plainForm = (text: string) => text.normalize('NFKC').trim().toLowerCase();

/**
 * The fault in a chosen password, or null. What counts is how many guesses it withstands, not which
 * kinds of characters are in it (NIST SP 800-63B section 5.1.1.2). The guesser is assumed to know
 * the user's names and what this server is called. Passwords known from a breach are refused too.
 * @throws PasswordsBusy
 */
export async function passwordFault(
  password: string,
  { username, email, name }: PasswordOwner,
): Promise<MessageKey | null> {
  if ([...password].length < passwordLimits.min) return 'setup.passwordShort';
  if (password.length > passwordLimits.max) return 'setup.passwordLong';
  const plain = plainForm(password);
  if ([username, email].some((word) => plainForm(word) === plain)) return 'password.own';
  const words = [username, email, name ?? '', productName(), 'gatehouse'];
  const guesses = await guessesOf(password.normalize('NFKC').trim(), words.flatMap(knownWords));
  if (guesses < enough) return 'password.weak';
  return (await isKnownFromBreach(password)) ? 'password.breached' : null;
}

/**
 * A missing or broken file stops no one from choosing a password: the log and `doctor` report it.
 */
async function isKnownFromBreach(password: string): Promise<boolean> {
  const file = config().breachedPasswords;
  if (file === null) return false;
  try {
    return await isBreached(file, foldBlanks(password));
  } catch (error) {
    const { message } = error as Error;
    log().warn({ file, reason: message }, 'the file of breached passwords cannot be used');
    return false;
  }
}

/** A name as people write it into passwords: whole, in parts, and put together. */
function knownWords(text: string): string[] {
  const plain = plainForm(text.slice(0, 254));
  const parts = plain.split(/[^\p{L}\p{N}]+/u).filter((part) => part.length > 2);
  return [...new Set([plain, ...parts.slice(0, 8), parts.slice(0, 2).join('')])].filter(Boolean);
}
