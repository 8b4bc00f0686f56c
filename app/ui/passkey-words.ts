import type { MessageKey } from '#lib/messages/keys.ts';
import type { Locale } from '#lib/messages/locales.ts';
import { type Text, textIn } from '#lib/messages/text.ts';
import type { PasskeyWords } from './passkey-box.tsx';

type Label = Extract<
  MessageKey,
  'passkey.signIn' | 'passkey.use' | 'security.passkeyAdd' | 'enrol.passkeyAdd'
>;

/** The texts of a passkey form, passed as props so browsers don't load message files. */
export function passkeyWords(label: Label, locale: Locale): PasskeyWords {
  const text: Text = textIn(locale);
  return {
    button: text(label),
    failed: text('passkey.notVerified'),
    cancelled: text('passkey.cancelled'),
    known: text('passkey.known'),
  };
}
