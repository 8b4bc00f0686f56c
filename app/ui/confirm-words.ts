import { mayUseApp, type Wanted } from '#lib/interaction/ways-to-confirm.ts';
import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';

/**
 * The words of a form that asks for a confirmation, passed as props so browsers load no messages.
 */
export type ConfirmWords = Readonly<
  Record<
    | 'title'
    | 'password'
    | 'code'
    | 'submit'
    | 'passkey'
    | 'passkeyFailed'
    | 'passkeyCancelled'
    | 'onSignInPage'
    | 'signInAgain',
    string
  >
>;

export function confirmWords(locale: Locale, wanted: Wanted = 'fresh'): ConfirmWords {
  const text = textIn(locale);
  return {
    title: text('confirm.title'),
    password: text('confirm.password'),
    code: text(mayUseApp(wanted) ? 'confirm.secondStep' : 'factor.recoveryCode'),
    submit: text('confirm.submit'),
    passkey: text('confirm.passkey'),
    passkeyFailed: text('confirm.passkeyFailed'),
    passkeyCancelled: text('passkey.cancelled'),
    onSignInPage: text('confirm.onSignInPage'),
    signInAgain: text('confirm.signInAgain'),
  };
}
