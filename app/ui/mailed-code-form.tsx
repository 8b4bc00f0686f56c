import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { Button } from './button.tsx';
import { CodeField } from './code-field.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { Hidden } from './hidden.tsx';
import { Notice } from './notice.tsx';

type MailedCodeFormProps = {
  action: string;
  fields: Record<string, string | undefined>;
  submit: string;
  /** A confirmation, such as that another code is on its way. */
  done?: string;
  error?: string;
  fault?: string;
  locale: Locale;
  /** For a card: the button is as wide as its label. */
  narrow?: boolean;
};

export function MailedCodeForm(props: MailedCodeFormProps) {
  const { done, error, locale, narrow } = props;
  const text = textIn(locale);
  return (
    <form method="post" action={props.action} className="grid gap-4">
      <Hidden fields={props.fields} />
      {done && (
        <Notice kind="info" locale={locale}>
          {done}
        </Notice>
      )}
      <ErrorNotice error={error} locale={locale} />
      <CodeField
        name="code"
        label={text('mailCode.code')}
        hint={text('mailCode.hint')}
        error={props.fault}
        autoFocus
      />
      <Button wide={!narrow} className={narrow ? 'justify-self-start' : undefined}>
        {props.submit}
      </Button>
    </form>
  );
}
