import { brandNow } from '../brand.ts';
import { config } from '../config.ts';
import { chooseLocale } from '../messages/choose-locale.ts';
import { momentIn } from '../messages/format.ts';
import type { MessageKey } from '../messages/keys.ts';
import { sayIn, textIn } from '../messages/text.ts';
import type { LinkPurpose } from '../store/links.ts';
import { readNoticesOff } from '../store/notices.ts';
import { findLanguageOf, findUser, type User } from '../store/users.ts';
import { type Letter, type NoticeKind, optionalNotices, type Sheet } from './letter.ts';
import { makeLink } from './links.ts';
import { worded } from './own-words.ts';

type Words = {
  subject: MessageKey;
  text: MessageKey;
  /** What to do if it wasn't you. */
  notYou: MessageKey;
  /** Where the button leads: to one of our pages, or to a link made for this mail. */
  action: { label: MessageKey } & ({ path: string } | { link: LinkPurpose });
};

const account = { path: '/account', label: 'mail.notice.toAccount' } as const;
const signIn = { path: '/account/sign-in', label: 'mail.notice.toAccount' } as const;
const keep = { path: '/account/delete', label: 'mail.deletionRequested.action' } as const;
const recover = { path: '/recover', label: 'mail.notice.toRecover' } as const;

const appPasswords = { path: '/account/app-passwords', label: 'mail.appPassword.action' } as const;

const words: Record<NoticeKind, Words> = {
  'new-device': {
    subject: 'mail.newDevice.subject',
    text: 'mail.newDevice.text',
    notYou: 'mail.newDevice.notYou',
    action: { link: 'not-me', label: 'mail.newDevice.action' },
  },
  'app-approved': {
    subject: 'mail.appApproved.subject',
    text: 'mail.appApproved.text',
    notYou: 'mail.appApproved.notYou',
    action: account,
  },
  'password-changed': {
    subject: 'mail.passwordChanged.subject',
    text: 'mail.passwordChanged.text',
    notYou: 'mail.passwordChanged.notYou',
    action: recover,
  },
  'password-reset': {
    subject: 'mail.passwordReset.subject',
    text: 'mail.passwordReset.text',
    notYou: 'mail.passwordReset.notYou',
    action: recover,
  },
  'address-set': {
    subject: 'mail.addressSet.subject',
    text: 'mail.addressSet.text',
    notYou: 'mail.addressSet.notYou',
    action: signIn,
  },
  'username-changed': {
    subject: 'mail.usernameChanged.subject',
    text: 'mail.usernameChanged.text',
    notYou: 'mail.usernameChanged.notYou',
    action: recover,
  },
  'email-changed': {
    subject: 'mail.emailChanged.subject',
    text: 'mail.emailChanged.text',
    notYou: 'mail.emailChanged.notYou',
    action: signIn,
  },
  'passkey-added': {
    subject: 'mail.passkeyAdded.subject',
    text: 'mail.passkeyAdded.text',
    notYou: 'mail.passkeyAdded.notYou',
    action: signIn,
  },
  'authenticator-added': {
    subject: 'mail.authenticatorAdded.subject',
    text: 'mail.authenticatorAdded.text',
    notYou: 'mail.authenticatorAdded.notYou',
    action: signIn,
  },
  'app-password-made': {
    subject: 'mail.appPasswordMade.subject',
    text: 'mail.appPasswordMade.text',
    notYou: 'mail.appPasswordMade.notYou',
    action: appPasswords,
  },
  'app-password-ended': {
    subject: 'mail.appPasswordEnded.subject',
    text: 'mail.appPasswordEnded.text',
    notYou: 'mail.appPasswordEnded.notYou',
    action: appPasswords,
  },
  'app-password-ending': {
    subject: 'mail.appPasswordEnding.subject',
    text: 'mail.appPasswordEnding.text',
    notYou: 'mail.appPasswordEnding.notYou',
    action: appPasswords,
  },
  'ends-soon': {
    subject: 'mail.endsSoon.subject',
    text: 'mail.endsSoon.text',
    notYou: 'mail.endsSoon.longer',
    action: account,
  },
  'places-ending': {
    subject: 'mail.placesEnding.subject',
    text: 'mail.placesEnding.text',
    notYou: 'mail.placesEnding.longer',
    action: account,
  },
  'recovery-codes-made': {
    subject: 'mail.recoveryCodesMade.subject',
    text: 'mail.recoveryCodesMade.text',
    notYou: 'mail.recoveryCodesMade.notYou',
    action: signIn,
  },
  'recovery-code-used': {
    subject: 'mail.recoveryCodeUsed.subject',
    text: 'mail.recoveryCodeUsed.text',
    notYou: 'mail.recoveryCodeUsed.notYou',
    action: signIn,
  },
  'second-factor-off': {
    subject: 'mail.secondFactorOff.subject',
    text: 'mail.secondFactorOff.text',
    notYou: 'mail.secondFactorOff.notYou',
    action: signIn,
  },
  'wrong-codes': {
    subject: 'mail.wrongCodes.subject',
    text: 'mail.wrongCodes.text',
    notYou: 'mail.wrongCodes.notYou',
    action: signIn,
  },
  'token-reuse': {
    subject: 'mail.tokenReuse.subject',
    text: 'mail.tokenReuse.text',
    notYou: 'mail.tokenReuse.notYou',
    action: account,
  },
  'app-let-in': {
    subject: 'mail.appLetIn.subject',
    text: 'mail.appLetIn.text',
    notYou: 'mail.appLetIn.notYou',
    action: { path: '/account', label: 'mail.appLetIn.action' },
  },
  'deletion-requested': {
    subject: 'mail.deletionRequested.subject',
    text: 'mail.deletionRequested.text',
    notYou: 'mail.deletionRequested.notYou',
    action: keep,
  },
  'deletion-canceled': {
    subject: 'mail.deletionCanceled.subject',
    text: 'mail.deletionCanceled.text',
    notYou: 'mail.deletionCanceled.notYou',
    action: account,
  },
};

/** Composes a notice, unless the user is gone or has switched it off. */
export async function composeNotice(
  letter: Extract<Letter, { kind: 'notice' }>,
  now: Date,
): Promise<Sheet | null> {
  const user = await findUser(letter.userId);
  if (!user || (await isUnwanted(letter.notice, user))) return null;
  const { subject, text: said, notYou, action } = words[letter.notice];
  const locale = chooseLocale({ profile: await findLanguageOf(user.id) });
  const text = textIn(locale);
  const values = {
    ...letter.values,
    device: letter.values.device || text('mail.newDevice.unknown'),
    // An unknown address is left out.
    address: letter.values.address
      ? text('mail.newDevice.from', { address: letter.values.address })
      : '',
    username: user.username,
    product: text('product.name'),
    host: new URL(config().issuer).host,
    time: momentIn(locale, new Date(letter.at)),
    due: letter.values.due ? momentIn(locale, new Date(letter.values.due)) : '',
  };
  const say = (key: MessageKey) => sayIn(locale)(key, values) ?? '';
  const sheet = {
    to: letter.to ?? user.email,
    subject: say(subject),
    paragraphs: [say(said), say(notYou)],
    action:
      letter.to === undefined
        ? { href: await hrefOf(action, user, letter, now), label: say(action.label) }
        : help(say),
    notes: notesOf(letter.notice).map((key) => text(key)),
    locale,
  };
  // Whoever has an address that was just removed is not called by name.
  return worded('mail-notice', sheet, letter.to === undefined ? user : { username: user.username });
}

/** An intruder must not switch it off: `new-device` was checked at the sign-in. */
async function isUnwanted(notice: NoticeKind, { id }: User): Promise<boolean> {
  if (notice === 'new-device' || !isOptional(notice)) return false;
  return (await readNoticesOff(id)).includes(notice);
}

async function hrefOf(
  action: Words['action'],
  user: User,
  { at, values: { device = '', address = '' } }: Extract<Letter, { kind: 'notice' }>,
  now: Date,
): Promise<string> {
  if ('path' in action) return config().issuer + action.path;
  const { email } = user;
  const invitee = { signInFrom: { device, address } };
  const wanted = { purpose: action.link, user, email, invitee, signedInAt: new Date(at) };
  return (await makeLink(wanted, now)).href;
}

/** The owner of an address just removed from an account can't use the account's pages. */
function help(say: (key: MessageKey) => string): Sheet['action'] {
  const { supportLink } = brandNow();
  return supportLink ? { href: supportLink, label: say('page.support') } : undefined;
}

/** Mails that the user asked for, or that report no change, need no note about why they were sent. */
function notesOf(notice: NoticeKind): ('mail.notice.optional' | 'mail.notice.security')[] {
  if (notice === 'app-let-in' || notice === 'ends-soon' || notice === 'places-ending') return [];
  return [isOptional(notice) ? 'mail.notice.optional' : 'mail.notice.security'];
}

function isOptional(notice: NoticeKind): boolean {
  return (optionalNotices as readonly NoticeKind[]).includes(notice);
}
