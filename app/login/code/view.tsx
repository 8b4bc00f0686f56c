import type { Work } from '#lib/identity/proof-of-work.ts';
import { textIn } from '#lib/messages/text.ts';
import type { AppPage } from '#lib/store/app-page.ts';
import { Button } from '../../ui/button.tsx';
import { Gate } from '../../ui/gate.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { MailedCodeForm } from '../../ui/mailed-code-form.tsx';
import { rich } from '../../ui/rich.tsx';
import { UserText } from '../../ui/user-text.tsx';
import type { Refused, ScreenProps } from '../../ui/view-models.ts';
import { WorkField } from '../../ui/work.tsx';
import { SignInHead } from '../view.tsx';

type CodeProps = ScreenProps &
  Refused<'code'> & {
    csrf: string;
    flow?: string;
    back?: string;
    app?: AppPage;
    /** The name or address that was typed. */
    to: string;
    work: Work | null;
    passwordHref: string;
    /** A confirmation, such as that another code is on its way. */
    done?: string;
  };

export function CodeView(props: CodeProps) {
  const { app, to, error, fieldErrors = {}, locale } = props;
  const text = textIn(locale);
  const title = text('mailCode.title');
  const fields = { csrf: props.csrf, flow: props.flow, back: props.back };
  return (
    <Gate
      title={title}
      refused={Boolean(error || fieldErrors.code)}
      host={props.host}
      accent={app?.accent}
      locale={locale}
    >
      <SignInHead app={app} title={title} locale={locale} />
      <p className="gh-text mb-6!">
        {rich(
          'mailCode.text',
          { login: <UserText className="font-semibold text-ink" text={to} /> },
          locale,
        )}
      </p>
      <MailedCodeForm
        action="/login/code/submit"
        fields={fields}
        submit={text('signIn.submit')}
        done={props.done}
        error={error}
        fault={fieldErrors.code}
        locale={locale}
      />
      <form method="post" action="/login/code/send" className="mt-3 grid gap-3">
        <Hidden fields={{ ...fields, again: 'on' }} />
        <WorkField work={props.work} locale={locale} />
        <Button wide kind="secondary">
          {text('mailCode.again')}
        </Button>
      </form>
      <p className="mt-4 text-center text-sm">
        <a className="gh-link inline-block py-1" href={props.passwordHref}>
          {text('mailCode.password')}
        </a>
      </p>
    </Gate>
  );
}
