import type { NoticeChoice } from '#lib/mail/notify.ts';
import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import type { PageAsking } from '../../asking.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Field } from '../../ui/field.tsx';
import { FreshForm } from '../../ui/fresh-form.tsx';
import { Gate } from '../../ui/gate.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { Input } from '../../ui/input.tsx';
import { MailedCodeForm } from '../../ui/mailed-code-form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { rich } from '../../ui/rich.tsx';
import { UserText } from '../../ui/user-text.tsx';
import type { Refused, ScreenProps } from '../../ui/view-models.ts';

type EmailCardProps = Refused<'email'> & {
  csrf: string;
  current: string;
  typed?: string;
  /** How the form asks for a confirmation, such as the password. */
  asking: PageAsking | null;
  canSendMail: boolean;
  locale: Locale;
};

/** The email address, and a form to change it. */
export function EmailCard(props: EmailCardProps) {
  const { csrf, current, typed, asking, canSendMail, fieldErrors = {}, locale } = props;
  const text = textIn(locale);
  const lead = rich(
    'emailChange.cardText',
    { email: <UserText className="font-semibold text-ink" text={current} /> },
    locale,
  );
  return (
    <Card id="address" title={text('emailChange.card')}>
      <p className="-mt-4 mb-5 text-ink-soft">{lead}</p>
      {canSendMail ? (
        <FreshForm
          id="address"
          action="/account/email/submit"
          fields={{ csrf }}
          asking={asking}
          submit={<Button>{text('emailChange.submit')}</Button>}
          locale={locale}
        >
          <Field name="email" label={text('emailChange.new')} error={fieldErrors.email}>
            {(control) => (
              <Input
                {...control}
                required
                inputMode="email"
                defaultValue={typed}
                autoComplete="email"
                autoCapitalize="none"
                spellCheck={false}
                maxLength={254}
                autoFocus={Boolean(fieldErrors.email)}
              />
            )}
          </Field>
        </FreshForm>
      ) : (
        <Notice kind="info" locale={locale}>
          {text('emailChange.off')}
        </Notice>
      )}
    </Card>
  );
}

type AddressCodeProps = { csrf: string; email: string; error?: string; locale: Locale };

export function AddressCodeCard({ csrf, email, error, locale }: AddressCodeProps) {
  const text = textIn(locale);
  const lead = rich(
    'addressCode.text',
    { email: <UserText className="font-semibold text-ink" text={email} /> },
    locale,
  );
  return (
    <Card id="enter-code" title={text('addressCode.card')}>
      <p className="-mt-4 mb-5 text-ink-soft">{lead}</p>
      <MailedCodeForm
        action="/account/email/code/submit"
        fields={{ csrf }}
        submit={text('mail.emailChange.action')}
        fault={error}
        locale={locale}
        narrow
      />
    </Card>
  );
}

/** Says that the address isn't confirmed, and sends the link that confirms it. */
export function ConfirmEmailNotice({
  csrf,
  canSendMail,
  locale,
}: {
  csrf: string;
  canSendMail: boolean;
  locale: Locale;
}) {
  const text = textIn(locale);
  return (
    <Notice kind="warning" title={text('emailOwn.title')} locale={locale}>
      {text(canSendMail ? 'emailOwn.text' : 'emailOwn.off')}
      {canSendMail && (
        <form method="post" action="/account/email/own/submit" className="mt-3">
          <Hidden fields={{ csrf }} />
          <Button kind="secondary" size="small">
            {text('emailOwn.submit')}
          </Button>
        </form>
      )}
    </Notice>
  );
}

export function NoticesCard({
  csrf,
  choices,
  locale,
}: {
  csrf: string;
  choices: readonly NoticeChoice[];
  locale: Locale;
}) {
  const text = textIn(locale);
  return (
    <Card id="notices" title={text('notices.card')} text={text('notices.text')}>
      <form method="post" action="/account/notices/submit" className="grid gap-4">
        <Hidden fields={{ csrf }} />
        <NoticeChoices choices={choices.filter(({ isOfAdmin }) => !isOfAdmin)} locale={locale} />
        {choices.some(({ isOfAdmin }) => isOfAdmin) && (
          <fieldset className="grid gap-4">
            <legend className="mb-3 text-sm font-semibold">{text('notices.admin')}</legend>
            <NoticeChoices choices={choices.filter(({ isOfAdmin }) => isOfAdmin)} locale={locale} />
          </fieldset>
        )}
        <div>
          <Button kind="secondary">{text('notices.submit')}</Button>
        </div>
      </form>
    </Card>
  );
}

function NoticeChoices({ choices, locale }: { choices: readonly NoticeChoice[]; locale: Locale }) {
  const text = textIn(locale);
  return choices.map(({ notice, wanted }) => (
    <Checkbox
      key={notice}
      name="notice"
      id={`notice-${notice}`}
      value={notice}
      defaultChecked={wanted}
      label={text(`notices.${notice}`)}
    />
  ));
}

type EmailConfirmProps = ScreenProps & {
  csrf: string;
  token: string;
  username: string;
  email: string;
  /** The account has this address already. */
  isOwn: boolean;
  error?: string;
};

/** Asks before changing or confirming the address: mail scanners open links too. */
export function EmailConfirmView({
  csrf,
  token,
  username,
  email,
  isOwn,
  error,
  host,
  locale,
}: EmailConfirmProps) {
  const text = textIn(locale);
  const title = text(isOwn ? 'emailOwn.confirmTitle' : 'emailConfirm.title');
  const bold = (value: string) => <UserText className="font-semibold text-ink" text={value} />;
  return (
    <Gate title={title} refused={Boolean(error)} host={host} locale={locale}>
      <h1 className="gh-title">{title}</h1>
      <p className="gh-text mb-6!">
        {rich(
          isOwn ? 'emailOwn.confirmText' : 'emailConfirm.text',
          { username: bold(username), email: bold(email) },
          locale,
        )}
      </p>
      <form method="post" action="/account/email/confirm/submit" className="grid gap-4">
        <Hidden fields={{ csrf, token }} />
        <ErrorNotice error={error} locale={locale} />
        <Button wide>{text(isOwn ? 'mail.emailChange.action' : 'emailConfirm.submit')}</Button>
        <ButtonLink kind="secondary" wide href="/">
          {text(isOwn ? 'emailOwn.cancel' : 'emailConfirm.cancel')}
        </ButtonLink>
      </form>
    </Gate>
  );
}
