import type { ReactNode } from 'react';
import { formField } from '#lib/interaction/confirm-fields.ts';
import type { Locale } from '#lib/messages/locales.ts';
import type { PageAsking } from '../asking.ts';
import { ConfirmPart } from './confirm-part.tsx';
import { Hidden } from './hidden.tsx';

type Props = {
  /** The form's name on the page. */
  id: string;
  action: string;
  fields: Readonly<Record<string, string | undefined>>;
  /** Null if the sign-in is fresh enough. */
  asking: PageAsking | null;
  submit: ReactNode;
  children?: ReactNode;
  locale: Locale;
};

/**
 * A form for an action that needs a fresh sign-in; if it is too old, the form itself asks for it.
 */
export function FreshForm({ id, action, fields, asking, submit, children, locale }: Props) {
  const canSend = !asking || asking.password;
  return (
    <form
      method="post"
      action={action}
      className={asking || children ? 'grid w-full max-w-md gap-4' : undefined}
    >
      <Hidden fields={{ ...fields, [formField]: id }} />
      {children}
      {asking && <ConfirmPart form={id} asking={asking} locale={locale} />}
      {canSend && <div>{submit}</div>}
    </form>
  );
}
