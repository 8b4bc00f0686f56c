import type { ReactNode } from 'react';
import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { Button } from './button.tsx';
import { CodeField } from './code-field.tsx';
import { Hidden } from './hidden.tsx';

type TotpSetUpProps = {
  action: string;
  /** Hidden fields, including the sealed secret. */
  fields: Readonly<Record<string, string | undefined>>;
  qr: string;
  uri: string;
  secret: string;
  error?: string;
  /** The fields that ask for a fresh sign-in. */
  confirm?: ReactNode;
  /** False if only a passkey can confirm, whose button sends the form. */
  canSend?: boolean;
  locale: Locale;
};

/** Setting up an authenticator app: QR code, secret and first code. */
export function TotpSetUp(props: TotpSetUpProps) {
  const { action, fields, qr, uri, secret, error, confirm, canSend = true, locale } = props;
  const text = textIn(locale);
  return (
    <form method="post" action={action} className="grid gap-4">
      <Hidden fields={fields} />
      <p>{text('totp.scan')}</p>
      <div className="grid items-center gap-4 sm:grid-cols-[auto_1fr]">
        {/* biome-ignore lint/performance/noImgElement: a data URI needs no optimising */}
        <img
          src={qr}
          alt={text('totp.scanAlt')}
          width={192}
          height={192}
          className="size-48 rounded-xl border border-line"
        />
        <div className="grid min-w-0 gap-3 text-sm">
          <p>
            <span className="text-ink-soft">{text('totp.type')}</span>
            <code dir="ltr" className="mt-1 block font-mono text-base break-words rtl:text-end">
              {inGroups(secret)}
            </code>
          </p>
          <p>
            <a className="gh-link inline-block py-1" href={uri}>
              {text('totp.open')}
            </a>
          </p>
        </div>
      </div>
      <CodeField name="code" label={text('totp.code')} error={error} autoFocus={Boolean(error)} />
      {confirm}
      {canSend && (
        <div>
          <Button>{text('totp.submit')}</Button>
        </div>
      )}
    </form>
  );
}

function inGroups(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? secret;
}
