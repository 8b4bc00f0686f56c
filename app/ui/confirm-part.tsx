import type { Locale } from '#lib/messages/locales.ts';
import type { PageAsking } from '../asking.ts';
import { ConfirmFields, passkeyToConfirm } from './confirm-fields.tsx';
import { Notice } from './notice.tsx';
import { PasskeyButton } from './passkey-button.tsx';

type Props = { form: string; asking: PageAsking; locale: Locale };

/**
 * The fields with which a form on a page without React asks for a confirmation if the sign-in is
 * too old. One submit both confirms and acts.
 */
export function ConfirmPart({ form, asking, locale }: Props) {
  const { password, passkey, words } = asking;
  const fault = asking.form === form ? asking.fault : undefined;
  return (
    <fieldset className="grid min-w-0 gap-4">
      <legend className="mb-3 font-semibold">{words.title}</legend>
      {password && (
        <ConfirmFields asking={asking} form={form} error={fault} autoFocus={asking.form === form} />
      )}
      {!password && fault && (
        <Notice kind="error" locale={locale}>
          {fault}
        </Notice>
      )}
      {passkey && <PasskeyButton {...passkeyToConfirm(asking)} />}
      {!password && (
        <p className="text-sm">
          {words.onSignInPage}{' '}
          <a className="gh-link font-semibold" href={asking.signInHref}>
            {words.signInAgain}
          </a>
        </p>
      )}
    </fieldset>
  );
}
