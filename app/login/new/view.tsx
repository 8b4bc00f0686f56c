import { textIn } from '#lib/messages/text.ts';
import type { TermsRecord } from '#lib/store/terms.ts';
import { NameField, UsernameField } from '../../ui/account-fields.tsx';
import { Button } from '../../ui/button.tsx';
import { Gate } from '../../ui/gate.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { rich } from '../../ui/rich.tsx';
import { TermsField } from '../../ui/terms-text.tsx';
import { UserText } from '../../ui/user-text.tsx';
import type { Refused, ScreenProps } from '../../ui/view-models.ts';

type NewAccountProps = ScreenProps &
  Refused<'username' | 'name' | 'terms'> & {
    csrf: string;
    flow?: string;
    back?: string;
    provider: string;
    /** The address that the provider has verified. */
    email: string;
    terms: TermsRecord | null;
    values: { username?: string; name?: string };
    cancelHref: string;
  };

/** Username and name of a new account, which has no password. */
export function NewAccountView(props: NewAccountProps) {
  const { fieldErrors = {}, values, locale } = props;
  const text = textIn(locale);
  const title = text('finish.title');
  return (
    <Gate
      title={title}
      refused={Object.values(fieldErrors).some(Boolean)}
      host={props.host}
      locale={locale}
    >
      <h1 className="gh-title">{title}</h1>
      <p className="gh-text mb-6!">
        {rich(
          'with.newText',
          {
            provider: <UserText text={props.provider} />,
            email: <UserText className="font-semibold wrap-anywhere text-ink" text={props.email} />,
          },
          locale,
        )}
      </p>
      <form method="post" action="/login/new/submit" className="grid gap-4">
        <Hidden fields={{ csrf: props.csrf, flow: props.flow, back: props.back }} />
        <UsernameField
          label={text('finish.username')}
          hint={text('finish.usernameHint')}
          value={values.username}
          error={fieldErrors.username}
          autoFocus={!fieldErrors.name}
        />
        <NameField
          value={values.name}
          error={fieldErrors.name}
          autoFocus={Boolean(fieldErrors.name)}
          locale={locale}
        />
        <TermsField terms={props.terms} error={fieldErrors.terms} locale={locale} />
        <Button wide className="mt-2">
          {text('finish.submit')}
        </Button>
      </form>
      <p className="mt-4 text-center text-sm">
        <a className="gh-link inline-block py-1" href={props.cancelHref}>
          {text('with.other')}
        </a>
      </p>
    </Gate>
  );
}
