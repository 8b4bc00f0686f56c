import type { HttpRequest, PageRequest } from '../http/message.ts';
import { makeLink, openLink } from '../mail/links.ts';
import { canSendMail, post } from '../mail/post.ts';
import type { Locale } from '../messages/locales.ts';
import { mayRegister } from '../settings/registration.ts';
import { endLinksTo, type MailedLink, redeemAccountLink } from '../store/links.ts';
import { readSettings } from '../store/settings.ts';
import { takeThrottledTry } from '../store/throttles.ts';
import { findUserByLogin, type User, whyNameIsTaken } from '../store/users.ts';
import { type AccountErrors, checkAccount, newAccount, takenError, username } from './accounts.ts';
import { type CodeResult, checkCode, codeCookieGone, heldCode, newCode } from './mail-code.ts';
import { nameTries } from './usernames.ts';

/** Whether people can register here and, if not, why. */
export async function registrationMode(): Promise<'open' | 'invitation' | 'off'> {
  const { registration } = await readSettings();
  if (registration === 'invitation') return 'invitation';
  return registration === 'off' || !canSendMail() ? 'off' : 'open';
}

const codeWanted = { purpose: 'registration', about: '' } as const;

/**
 * Starts a registration: the address gets a letter with a link and, for this browser, six digits
 * that do the same. If the address decides who may register, the letter has only the link: someone
 * free to try any number of addresses would eventually guess six digits.
 * @returns the cookies the response must set
 */
export async function askToRegister(
  asked: { email: string; flow: string | undefined; locale: Locale },
  request: HttpRequest,
  now: Date,
): Promise<string[]> {
  const letter = { kind: 'registration', ...asked } as const;
  if ((await readSettings()).registration !== 'open') {
    await post(letter, now);
    return [codeCookieGone()];
  }
  const { secret, cookie } = await newCode(request, { ...codeWanted, to: asked.email }, now);
  await post({ ...letter, code: secret }, now);
  return [cookie];
}

/** The address whose code this browser waits for. */
export async function pendingRegistrationEmail(
  request: PageRequest,
  now: Date,
): Promise<string | null> {
  return (await heldCode(request, codeWanted, now))?.to ?? null;
}

/** A link that allows creating an account, for a user who types the code mailed to them. */
export async function linkByCode(
  typed: string,
  flow: string | undefined,
  request: HttpRequest,
  now: Date,
): Promise<{ token: string } | Exclude<CodeResult, { user: User | null }>> {
  const settings = await readSettings();
  if (settings.registration !== 'open') return 'gone';
  const result = await checkCode(request, codeWanted, typed, now);
  if (typeof result !== 'object' || !('user' in result)) return result;
  const link = { purpose: 'register', user: null, email: result.to, flow } as const;
  return { token: (await makeLink(link, now)).token };
}

/**
 * The link that allows creating an account: an invitation whatever the settings say, another as
 * long as they allow it, and either while its address has none.
 */
export async function openAccountLink(
  token: string | undefined,
  now: Date,
): Promise<MailedLink | null> {
  const opened = await openLink(token, ['register', 'invite'], now);
  if (!opened) return null;
  const { link } = opened;
  const allowed =
    link.purpose === 'invite' || mayRegister(await readSettings(), link.email) === 'yes';
  return allowed && !(await findUserByLogin(link.email)) ? link : null;
}

type FinishInput = { username: string; name: string; password: string };

/** Creates the account a link allows. The link confirms its email address. @throws PasswordsBusy */
export async function finishRegistration(
  link: MailedLink,
  input: FinishInput,
  request: HttpRequest,
  now: Date,
): Promise<{ id: string } | { errors: AccountErrors } | 'dead'> {
  // Counted first: the answer reveals which names are taken, and judging a password takes time.
  if ((await takeThrottledTry(`register:${link.id}`, nameTries, now)) === 'refused')
    return { errors: { username: 'username.throttled' } };
  const account = { ...input, email: link.email };
  const errors = await checkAccount(account);
  if (Object.keys(errors).length > 0) return { errors };
  // Checked before spending time on a hash.
  const taken = await whyNameIsTaken(username.parse(input.username), null, now);
  if (taken) return { errors: takenError(taken) };
  const { address, id: requestId } = request;
  const detail = {
    username: input.username.trim(),
    email: link.email,
    by: link.purpose,
    invitedBy: link.madeBy,
  };
  const eventOf = (id: string) =>
    ({ type: 'user.registered', actor: id, userId: id, address, requestId, detail }) as const;
  const made = await redeemAccountLink(link, await newAccount(account, false), eventOf, now);
  if (made === 'dead') return 'dead';
  if ('taken' in made) return made.taken === 'email' ? 'dead' : { errors: takenError(made.taken) };
  await endLinksTo(link.email, ['register', 'invite'], now);
  return made;
}
