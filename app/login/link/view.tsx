import { textIn } from '#lib/messages/text.ts';
import type { PageAsking } from '../../asking.ts';
import { Button } from '../../ui/button.tsx';
import { FreshForm } from '../../ui/fresh-form.tsx';
import { Gate } from '../../ui/gate.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { rich } from '../../ui/rich.tsx';
import { UserText } from '../../ui/user-text.tsx';
import type { ScreenProps } from '../../ui/view-models.ts';

type LinkProps = ScreenProps & {
  csrf: string;
  flow?: string;
  back?: string;
  provider: string;
  /** The name of the account at the provider. */
  label: string;
  username: string;
  /** The user started this from their account page and returns to it. */
  isInAccount: boolean;
  asking: PageAsking | null;
};

/** Names both accounts, with a button to link them. */
export function LinkView(props: LinkProps) {
  const { csrf, flow, back, provider, label, username, isInAccount, asking, host, locale } = props;
  const text = textIn(locale);
  const title = text('link.title', { provider });
  const strong = (value: string) => (
    <UserText className="font-semibold wrap-anywhere text-ink" text={value} />
  );
  return (
    <Gate title={title} host={host} locale={locale}>
      <h1 className="gh-title">{title}</h1>
      <p className="gh-text mb-6!">
        {rich(
          'link.text',
          {
            provider: <UserText text={provider} />,
            label: strong(label),
            username: strong(username),
          },
          locale,
        )}
      </p>
      <div className="grid gap-3">
        <FreshForm
          id="link"
          action="/login/link/submit"
          fields={{ csrf, flow, back }}
          asking={asking}
          submit={<Button wide>{text('link.submit')}</Button>}
          locale={locale}
        />
        <form method="post" action="/login/link/not">
          <Hidden fields={{ csrf, flow, back, account: isInAccount ? 'yes' : undefined }} />
          <Button wide kind="secondary">
            {text('link.not')}
          </Button>
        </form>
      </div>
    </Gate>
  );
}
