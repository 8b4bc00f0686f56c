import { config } from '../config.ts';
import { chooseLocale } from '../messages/choose-locale.ts';
import type { MessageKey } from '../messages/keys.ts';
import { sayIn, textIn } from '../messages/text.ts';
import { readNoticesOff } from '../store/notices.ts';
import { findLanguageOf, findUser } from '../store/users.ts';
import type { AlertKind, Letter, Sheet } from './letter.ts';

type Words = {
  subject: MessageKey;
  says: readonly MessageKey[];
  /** The page where an admin can deal with it. */
  path: string;
  action: MessageKey;
};

const toServer = { path: '/admin/settings/general#doctor', action: 'mail.alert.toServer' } as const;

const words: Record<AlertKind, Words> = {
  'app-failing': {
    subject: 'mail.appFailing.subject',
    says: ['mail.appFailing.text'],
    path: '/admin/traces?result=failed',
    action: 'mail.alert.toAttempts',
  },
  'admin-new-device': {
    subject: 'mail.adminNewDevice.subject',
    says: ['mail.adminNewDevice.text', 'mail.adminNewDevice.notThem'],
    path: '/admin/people?role=admin',
    action: 'mail.alert.toPeople',
  },
  'wrong-passwords': {
    subject: 'mail.wrongPasswords.subject',
    says: ['mail.wrongPasswords.text', 'mail.wrongPasswords.guarded'],
    path: '/admin',
    action: 'mail.alert.toHome',
  },
  'backup-late': {
    subject: 'mail.backupLate.subject',
    says: ['mail.backupLate.text'],
    ...toServer,
  },
  'disk-full': { subject: 'mail.diskFull.subject', says: ['mail.diskFull.text'], ...toServer },
  'certificate-ends': {
    subject: 'mail.certificateEnds.subject',
    says: ['mail.certificateEnds.text'],
    ...toServer,
  },
  'still-waiting': {
    subject: 'mail.stillWaiting.subject',
    says: ['mail.stillWaiting.text', 'mail.stillWaiting.hosts'],
    path: '/admin/clients#waiting',
    action: 'mail.alert.toWaiting',
  },
  'weekly-digest': {
    subject: 'mail.weeklyDigest.subject',
    says: ['mail.weeklyDigest.signIns', 'mail.weeklyDigest.made', 'mail.weeklyDigest.waits'],
    path: '/admin',
    action: 'mail.alert.toHome',
  },
  'ends-ahead': {
    subject: 'mail.endsAhead.subject',
    says: ['mail.endsAhead.text', 'mail.endsAhead.longer'],
    path: '/admin/people',
    action: 'mail.alert.toHome',
  },
  'unused-held': {
    subject: 'mail.unusedHeld.subject',
    says: ['mail.unusedHeld.text'],
    path: '/admin/people/unused',
    action: 'mail.alert.toHome',
  },
};

/** Composes an alert, unless the recipient is no longer an admin or has switched it off. */
export async function composeAlert(
  letter: Extract<Letter, { kind: 'alert' }>,
): Promise<Sheet | null> {
  const admin = await findUser(letter.userId);
  if (!admin?.isAdmin || admin.disabled) return null;
  if ((await readNoticesOff(admin.id)).includes(letter.alert)) return null;
  const locale = chooseLocale({ profile: await findLanguageOf(admin.id) });
  const text = textIn(locale);
  const { address } = letter.values;
  const values = {
    ...letter.values,
    device: letter.values.device || text('mail.newDevice.unknown'),
    // An unknown address is left out.
    address: address ? text('mail.newDevice.from', { address: `${address}` }) : '',
    product: text('product.name'),
    host: new URL(config().issuer).host,
  };
  const { subject, says, path, action } = words[letter.alert];
  const say = (key: MessageKey) => sayIn(locale)(key, values) ?? '';
  return {
    to: admin.email,
    subject: say(subject),
    paragraphs: says.map(say),
    action: { href: config().issuer + path, label: say(action) },
    notes: [text('mail.alert.note', { link: `${config().issuer}/account/mail#notices` })],
    locale,
  };
}
