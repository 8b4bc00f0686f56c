import { confirmFields } from '#lib/interaction/confirm-fields.ts';
import type { Asking } from '../asking.ts';
import { Field } from './field.tsx';
import { Input } from './input.tsx';
import type { PasskeyButtonProps } from './passkey-box.tsx';

type Props = {
  asking: Pick<Asking, 'username' | 'code' | 'words'>;
  /** Distinguishes the fields of this form from those of other forms on the page. */
  form?: string;
  error?: string | undefined;
  autoFocus?: boolean;
};

/**
 * The password field, and the code field if the user has a second factor, in a form that needs a
 * fresh sign-in.
 */
export function ConfirmFields({ asking: { username, code, words }, form, ...rest }: Props) {
  const idOf = (name: string) => (form === undefined ? name : `${name}-${form}`);
  const { password, code: codeName } = confirmFields;
  return (
    <>
      {/* Tells password managers whose password this is. */}
      <input
        className="sr-only"
        type="text"
        autoComplete="username"
        defaultValue={username}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      <Field name={password} id={idOf(password)} label={words.password} error={rest.error}>
        {(control) => (
          <Input
            {...control}
            type="password"
            autoComplete="current-password"
            autoFocus={rest.autoFocus}
          />
        )}
      </Field>
      {code && (
        <Field name={codeName} id={idOf(codeName)} label={words.code}>
          {(control) => (
            <Input
              {...control}
              autoComplete="one-time-code"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              maxLength={60}
            />
          )}
        </Field>
      )}
    </>
  );
}

/** The button that confirms with a passkey instead of the password, in the same form. */
export function passkeyToConfirm({ csrf, words }: Asking): PasskeyButtonProps {
  const { challenge, credential } = confirmFields;
  return {
    use: 'sign-in',
    fields: { csrf },
    into: { challenge, credential },
    words: {
      button: words.passkey,
      failed: words.passkeyFailed,
      cancelled: words.passkeyCancelled,
      known: words.passkeyFailed,
    },
    kind: 'secondary',
    size: 'small',
  };
}
