import { config } from '../config.ts';
import { chooseLocale } from '../messages/choose-locale.ts';
import { listIn, minutesIn } from '../messages/format.ts';
import type { Locale } from '../messages/locales.ts';
import { textIn } from '../messages/text.ts';
import { mayRegister } from '../settings/registration.ts';
import { audit } from '../store/audit.ts';
import { readBranding } from '../store/branding.ts';
import { listWaiting } from '../store/client-requests.ts';
import { findDirectoryLink } from '../store/directories.ts';
import { readNoticesOff } from '../store/notices.ts';
import { readSettings } from '../store/settings.ts';
import { takeThrottledTry, takeTry, triesCounted } from '../store/throttles.ts';
import {
  findLanguageOf,
  findUser,
  findUserByLogin,
  isEmailVerified,
  type User,
} from '../store/users.ts';
import { composeAlert } from './alert-text.ts';
import { codeLife, codeLimits, codeMailsKey, codeTriesKey } from './code-limits.ts';
import type { Letter, Sheet } from './letter.ts';
import { linkLifetimes, makeLink } from './links.ts';
import { composeNotice } from './notice-text.ts';
import { worded } from './own-words.ts';
import { sampleLetter } from './samples.ts';
import { type CodeClaim, codeOf, codeSubjectOf } from './six-digits.ts';

type LetterOf<K extends Letter['kind']> = Extract<Letter, { kind: K }>;

/** The most mails of one kind to one user in 15 minutes. */
const perPerson = 5;

/**
 * Writes a letter just before it is sent; null if there is no one to write to. Whether an account
 * exists is decided here, where the requester can't see it.
 * @param again it was composed before, but could not be sent
 */
export async function compose(letter: Letter, again: boolean, now: Date): Promise<Sheet | null> {
  await readBranding();
  switch (letter.kind) {
    case 'recovery':
      return composeRecovery(letter, again, now);
    case 'code':
      return composeCode(letter, again, now);
    case 'registration':
      return composeRegistration(letter, again, now);
    case 'email-change':
      return composeEmailChange(letter, now);
    case 'email-confirm':
      return composeEmailConfirm(letter, now);
    case 'invitation':
      return composeInvitation(letter);
    case 'new-apps':
      return composeNewApps(letter);
    case 'test':
      return composeTest(letter, now);
    case 'account-deleted':
      return composeAccountDeleted(letter);
    case 'alert':
      return composeAlert(letter);
    case 'notice':
      return composeNotice(letter, now);
  }
}

async function isTooOften(
  kind: Letter['kind'],
  userId: string,
  again: boolean,
  now: Date,
): Promise<boolean> {
  return !again && (await takeThrottledTry(`mail:${kind}:${userId}`, perPerson, now)) === 'refused';
}

/** Sent to the account's address, not the typed one: the two may only look alike. */
async function composeRecovery(
  letter: LetterOf<'recovery'>,
  again: boolean,
  now: Date,
): Promise<Sheet | null> {
  const user = await findUserByLogin(letter.login);
  if (!user || user.disabled || (await isTooOften('recovery', user.id, again, now))) return null;
  const event = {
    type: 'password.reset-requested',
    userId: user.id,
    address: letter.address,
  } as const;
  const locale = await languageOf(user.id, letter.locale);
  const text = textIn(locale);
  const subject = text('mail.recovery.subject', { product: text('product.name') });
  if (await findDirectoryLink(user.id)) {
    const paragraphs = [text('mail.recovery.elsewhere')];
    const notes = [text('mail.recovery.notYou')];
    return worded('mail', { to: user.email, subject, paragraphs, notes, locale }, user);
  }
  const { href } = await makeLink(
    { purpose: 'reset', user, email: user.email, flow: letter.flow },
    now,
    event,
  );
  const sheet = {
    to: user.email,
    subject,
    paragraphs: [text('mail.recovery.text', { username: user.username, host: host() })],
    action: { href, label: text('mail.recovery.action') },
    notes: [
      text('mail.recovery.once', { time: minutesIn(locale, linkLifetimes.reset / 60_000) }),
      text('mail.recovery.notYou'),
    ],
    locale,
  };
  return worded('mail-recovery', sheet, user);
}

/** Too many requested or guessed wrong: none is sent, and the requester isn't told. */
async function composeCode(
  letter: LetterOf<'code'>,
  again: boolean,
  now: Date,
): Promise<Sheet | null> {
  const { purpose, secret, address } = letter;
  const subject = await codeSubjectOf({ purpose, to: letter.login });
  const user = subject?.user;
  if (
    !user ||
    (!again &&
      (await countCodeMail(letter.device ?? `user:${user.id}`, user.id, now)) === 'refused')
  )
    return null;
  if (!again)
    await audit({ type: 'sign-in.code-sent', userId: user.id, address, actor: null }, now);
  const locale = await languageOf(user.id, letter.locale);
  const text = textIn(locale);
  const values = { username: user.username, host: host() };
  const sheet = {
    to: user.email,
    subject: text('mail.code.subject', { product: text('product.name') }),
    paragraphs: [text(purpose === 'sign-in' ? 'mail.code.signIn' : 'mail.code.account', values)],
    code: { digits: codeOf(secret, subject.basis) },
    notes: [
      text('mail.code.once', { time: minutesIn(locale, codeLife / 60_000) }),
      text('mail.code.notYou', { host: host() }),
    ],
    locale,
  };
  return worded('mail-code', sheet, user);
}

/** Counts a mail with a code. 'refused': too many were sent or typed wrong, so it is not sent. */
async function countCodeMail(
  throttleKey: string,
  userId: string,
  now: Date,
): Promise<'may-go' | 'refused'> {
  const { inWindow, most } = codeLimits.mails;
  const taken = await takeTry({ key: codeMailsKey(throttleKey), limit: inWindow, userId }, now);
  if ('refusedUntil' in taken || taken.total > most) return 'refused';
  const wrong = await triesCounted(codeTriesKey(throttleKey));
  return wrong >= codeLimits.tries.mostWrong ? 'refused' : 'may-go';
}

/**
 * The code shown beside a link, for users who type it in the browser where they requested the
 * letter.
 */
async function codeBeside(
  secret: string | undefined,
  claim: CodeClaim,
  orLink: string,
): Promise<Pick<Sheet, 'code'>> {
  const subject = secret === undefined ? null : await codeSubjectOf(claim);
  return subject && secret !== undefined
    ? { code: { digits: codeOf(secret, subject.basis), orLink } }
    : {};
}

/**
 * If the address already has an account, its owner learns so by mail; the page shows no difference.
 */
async function composeRegistration(
  letter: LetterOf<'registration'>,
  again: boolean,
  now: Date,
): Promise<Sheet | null> {
  if (mayRegister(await readSettings(), letter.email) !== 'yes') return null;
  const holder = await findUserByLogin(letter.email);
  const locale = await languageOf(holder?.id, letter.locale);
  const text = textIn(locale);
  const product = text('product.name');
  if (holder) {
    const isQuiet = holder.disabled || (await isTooOften('registration', holder.id, again, now));
    return isQuiet ? null : registeredAlready(holder, locale);
  }
  const { href } = await makeLink(
    { purpose: 'register', user: null, email: letter.email, flow: letter.flow },
    now,
  );
  const sheet = {
    to: letter.email,
    subject: text('mail.registration.subject', { product }),
    paragraphs: [
      text(letter.code ? 'mail.registration.code' : 'mail.registration.text', { host: host() }),
    ],
    ...(await codeBeside(
      letter.code,
      { purpose: 'registration', to: letter.email },
      text('mail.registration.orLink'),
    )),
    action: { href, label: text('mail.registration.action') },
    notes: [text('mail.registration.once'), text('mail.registration.notYou')],
    locale,
  };
  return worded('mail-registration', sheet);
}

function registeredAlready({ email, username }: User, locale: Locale): Sheet {
  const text = textIn(locale);
  const sheet = {
    to: email,
    subject: text('mail.registered.subject', { product: text('product.name') }),
    paragraphs: [text('mail.registered.text', { host: host(), username })],
    action: { href: `${config().issuer}/login`, label: text('mail.registered.action') },
    notes: [
      text('mail.registered.forgot', { link: `${config().issuer}/recover` }),
      text('mail.registered.notYou'),
    ],
    locale,
  };
  return worded('mail', sheet, { username });
}

async function composeEmailChange(
  letter: LetterOf<'email-change'>,
  now: Date,
): Promise<Sheet | null> {
  const user = await findUser(letter.userId);
  if (!user || user.disabled) return null;
  const holder = await findUserByLogin(letter.email);
  const locale = await languageOf(holder?.id ?? user.id, letter.locale);
  const text = textIn(locale);
  const product = text('product.name');
  if (holder && holder.id !== user.id) {
    const sheet = {
      to: holder.email,
      subject: text('mail.emailTaken.subject', { product }),
      paragraphs: [text('mail.emailTaken.text', { host: host(), username: holder.username })],
      notes: [text('mail.emailTaken.note', { username: holder.username })],
      locale,
    };
    return worded('mail', sheet, holder);
  }
  const { href } = await makeLink({ purpose: 'email', user, email: letter.email }, now);
  const sheet = {
    to: letter.email,
    subject: text('mail.emailChange.subject', { product }),
    paragraphs: [
      text('mail.emailChange.text', { username: user.username, host: host() }),
      ...(letter.code ? [text('mail.emailChange.code')] : []),
    ],
    ...(await codeBeside(
      letter.code,
      { purpose: 'address', to: letter.email, userId: user.id },
      text('mail.emailChange.orLink'),
    )),
    action: { href, label: text('mail.emailChange.action') },
    notes: [text('mail.emailChange.once'), text('mail.emailChange.notYou')],
    locale,
  };
  return worded('mail-address', sheet, { username: user.username });
}

async function composeEmailConfirm(
  letter: LetterOf<'email-confirm'>,
  now: Date,
): Promise<Sheet | null> {
  const user = await findUser(letter.userId);
  if (!user || user.disabled || (await isEmailVerified(user.id))) return null;
  const locale = await languageOf(user.id, letter.locale);
  const text = textIn(locale);
  const { href } = await makeLink({ purpose: 'email', user, email: user.email }, now);
  const sheet = {
    to: user.email,
    subject: text('mail.emailOwn.subject', { product: text('product.name') }),
    paragraphs: [
      text('mail.emailOwn.text', { username: user.username, host: host() }),
      ...(letter.code ? [text('mail.emailChange.code')] : []),
    ],
    ...(await codeBeside(
      letter.code,
      { purpose: 'address', to: user.email, userId: user.id },
      text('mail.emailChange.orLink'),
    )),
    action: { href, label: text('mail.emailChange.action') },
    notes: [text('mail.emailChange.once'), text('mail.emailOwn.notYou')],
    locale,
  };
  return worded('mail-address', sheet, { username: user.username });
}

function composeInvitation({
  email,
  link,
  name,
  by,
  note,
  locale: asked,
}: LetterOf<'invitation'>): Sheet {
  const locale = chooseLocale({ profile: asked });
  const text = textIn(locale);
  const said = by
    ? text('mail.invitation.textBy', { name: by, host: host() })
    : text('mail.invitation.text', { host: host() });
  const sheet = {
    to: email,
    subject: text('mail.invitation.subject', { product: text('product.name') }),
    greeting: name && text('mail.invitation.hello', { name }),
    paragraphs: [
      said,
      ...(note ? [text('mail.invitation.note', { note })] : []),
      text('mail.invitation.open'),
    ],
    action: { href: link, label: text('mail.invitation.action') },
    notes: [text('mail.invitation.once'), text('mail.invitation.notYou')],
    locale,
  };
  return worded('mail-invitation', sheet, { name });
}

/** Sent only if the recipient is still an admin and apps are still waiting. */
async function composeNewApps({ userId }: LetterOf<'new-apps'>): Promise<Sheet | null> {
  const user = await findUser(userId);
  const hosts = [...new Set((await listWaiting()).map((app) => app.host))];
  if (!user?.isAdmin || user.disabled || hosts.length === 0) return null;
  if ((await readNoticesOff(user.id)).includes('new-apps')) return null;
  const locale = await languageOf(user.id, undefined);
  const text = textIn(locale);
  const said = hosts.length > mostNamed ? [...hosts.slice(0, mostNamed), '…'] : hosts;
  return {
    to: user.email,
    subject: text('mail.newApps.subject', { product: text('product.name') }),
    paragraphs: [
      text('mail.newApps.text', { host: host() }),
      text('mail.newApps.apps', { hosts: listIn(locale, said) }),
    ],
    action: {
      href: `${config().issuer}/admin/clients#waiting`,
      label: text('mail.newApps.action'),
    },
    notes: [text('mail.newApps.note')],
    locale,
  };
}

/** The most hosts named in a mail. */
const mostNamed = 10;

function composeTest({ email, place = 'mail', locale }: LetterOf<'test'>, now: Date): Sheet {
  const to = { to: email, locale: chooseLocale({ profile: locale }), now, isTest: true } as const;
  return sampleLetter(place, to);
}

/** Sent to the address the account had. */
function composeAccountDeleted({
  email,
  username,
  locale: asked,
}: LetterOf<'account-deleted'>): Sheet {
  const locale = chooseLocale({ profile: asked });
  const text = textIn(locale);
  const sheet = {
    to: email,
    subject: text('mail.accountDeleted.subject', { product: text('product.name') }),
    paragraphs: [text('mail.accountDeleted.text', { username, host: host() })],
    notes: [text('mail.accountDeleted.note')],
    locale,
  };
  return worded('mail', sheet, { username });
}

/** The recipient's own language, else that of the requesting page, else English. */
async function languageOf(
  recipient: string | undefined,
  asked: string | undefined,
): Promise<Locale> {
  const profile = recipient === undefined ? undefined : await findLanguageOf(recipient);
  return chooseLocale({ profile, acceptLanguage: asked });
}

function host(): string {
  return new URL(config().issuer).host;
}
