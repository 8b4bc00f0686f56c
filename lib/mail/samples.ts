import { config } from '../config.ts';
import { momentIn } from '../messages/format.ts';
import type { MessageKey } from '../messages/keys.ts';
import type { Locale } from '../messages/locales.ts';
import { productName, sayIn } from '../messages/text.ts';
import type { MailPlace, Texts } from '../own-words.ts';
import type { Sheet } from './letter.ts';
import { worded } from './own-words.ts';

type Row = {
  subject: MessageKey;
  says: readonly MessageKey[];
  action?: MessageKey;
  notes: readonly MessageKey[];
  greeting?: MessageKey;
  code?: true;
};

const rows: Record<MailPlace, Row> = {
  mail: { subject: 'mail.test.subject', says: ['mail.test.text'], notes: ['mail.test.note'] },
  'mail-invitation': {
    subject: 'mail.invitation.subject',
    greeting: 'mail.invitation.hello',
    says: ['mail.invitation.text', 'mail.invitation.open'],
    action: 'mail.invitation.action',
    notes: ['mail.invitation.once', 'mail.invitation.notYou'],
  },
  'mail-registration': {
    subject: 'mail.registration.subject',
    says: ['mail.registration.text'],
    action: 'mail.registration.action',
    notes: ['mail.registration.once', 'mail.registration.notYou'],
  },
  'mail-address': {
    subject: 'mail.emailOwn.subject',
    says: ['mail.emailOwn.text'],
    action: 'mail.emailChange.action',
    notes: ['mail.emailChange.once', 'mail.emailOwn.notYou'],
  },
  'mail-recovery': {
    subject: 'mail.recovery.subject',
    says: ['mail.recovery.text'],
    action: 'mail.recovery.action',
    notes: ['mail.recovery.notYou'],
  },
  'mail-code': {
    subject: 'mail.code.subject',
    says: ['mail.code.signIn'],
    code: true,
    notes: ['mail.code.notYou'],
  },
  'mail-notice': {
    subject: 'mail.passwordChanged.subject',
    says: ['mail.passwordChanged.text', 'mail.passwordChanged.notYou'],
    action: 'mail.notice.toRecover',
    notes: ['mail.notice.security'],
  },
};

/**
 * A letter as people get it, with a person who does not exist and a link to the start page. If it is
 * a test that is sent, it says so.
 * @param texts the operator's words, if they are not those that are stored
 */
export function sampleLetter(
  place: MailPlace,
  { to, locale, now, isTest }: { to: string; locale: Locale; now: Date; isTest?: true },
  texts?: Texts,
): Sheet {
  const { subject, greeting, says, action, code, notes } = rows[place];
  const person = { username: 'ada', name: 'Ada Lovelace' };
  const values = {
    ...person,
    product: productName(),
    host: new URL(config().issuer).host,
    time: momentIn(locale, now),
  };
  const kept = isTest && place !== 'mail' ? [...notes, 'mail.test.note' as const] : notes;
  const say = (key: MessageKey) => sayIn(locale)(key, values) ?? '';
  const sheet: Sheet = {
    to,
    subject: say(subject),
    greeting: greeting && say(greeting),
    paragraphs: says.map(say),
    action: action && { href: `${config().issuer}/`, label: say(action) },
    code: code && { digits: '123456' },
    notes: kept.map(say),
    locale,
  };
  return worded(place, sheet, person, texts);
}
