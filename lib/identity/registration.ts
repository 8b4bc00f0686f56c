import type { HttpRequest } from '../http/message.ts';
import { openLink } from '../mail/links.ts';
import { canSendMail } from '../mail/post.ts';
import { mayRegister } from '../settings/registration.ts';
import { endLinksTo, type MailedLink, redeemAccountLink } from '../store/links.ts';
import { readSettings } from '../store/settings.ts';
import { takeThrottledTry } from '../store/throttles.ts';
import { findUserByLogin, whyNameIsTaken } from '../store/users.ts';
import { type AccountErrors, checkAccount, newAccount, takenError, username } from './accounts.ts';
import { nameTries } from './usernames.ts';

/** Whether people can register here and, if not, why. */
export async function registrationMode(): Promise<'open' | 'invitation' | 'off'> {
  const { registration } = await readSettings();
  if (registration === 'invitation') return 'invitation';
  return registration === 'off' || !canSendMail() ? 'off' : 'open';
}

/**
 * The link that allows creating an account, as long as the settings allow it and its address has
 * none.
 */
export async function openAccountLink(
  token: string | undefined,
  now: Date,
): Promise<MailedLink | null> {
  const opened = await openLink(token, ['register', 'invite'], now);
  if (!opened) return null;
  const { link } = opened;
  const settings = await readSettings();
  const allowed =
    link.purpose === 'invite'
      ? settings.registration !== 'off'
      : mayRegister(settings, link.email) === 'yes';
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
  // Counted first: the answer reveals which names are taken, and to judge a password takes time.
  if ((await takeThrottledTry(`register:${link.id}`, nameTries, now)) === 'refused')
    return { errors: { username: 'username.throttled' } };
  const account = { ...input, email: link.email };
  const errors = await checkAccount(account);
  if (Object.keys(errors).length > 0) return { errors };
  // Looked at before a hash is made.
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
