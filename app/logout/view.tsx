import { textIn } from '#lib/messages/text.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Gate } from '../ui/gate.tsx';
import { Hidden } from '../ui/hidden.tsx';
import { OwnWords, pageWords } from '../ui/own-words.tsx';
import { rich } from '../ui/rich.tsx';
import { UserText } from '../ui/user-text.tsx';
import type { AccountSummary, ScreenProps } from '../ui/view-models.ts';

type SignOutProps = ScreenProps & {
  csrf: string;
  account: AccountSummary;
  cancelHref: string;
  /** The requesting app, if any. */
  appName?: string;
  /** The browser has other accounts, too. */
  others: boolean;
  /** The provider the user signed in with, where they stay signed in. */
  provider?: string | null;
  /** Further hidden fields, such as a sealed sign-out request. */
  fields?: Readonly<Record<string, string | undefined>>;
};

export function SignOutView({
  csrf,
  account,
  cancelHref,
  appName,
  others,
  provider,
  fields = {},
  host,
  locale,
}: SignOutProps) {
  const text = textIn(locale);
  const words = pageWords('sign-out', locale);
  const title = words.title ?? text('signOut.title');
  return (
    <Gate title={title} host={host} locale={locale}>
      <h1 className="gh-title">{title}</h1>
      <OwnWords words={words.lead} />
      {appName && (
        <p className="gh-text">
          {rich(
            'signOut.fromApp',
            { app: <UserText className="font-semibold text-ink" text={appName} /> },
            locale,
          )}
        </p>
      )}
      <p className="gh-text">
        {rich(
          'signOut.text',
          { account: <UserText className="font-semibold text-ink" text={account.email} /> },
          locale,
        )}{' '}
        {text('signOut.appsStay')}
      </p>
      {provider && (
        <p className="gh-text">
          {rich('signOut.providerStays', { provider: <UserText text={provider} /> }, locale)}
        </p>
      )}
      <form method="post" action="/logout/submit" className="mt-6 grid gap-3">
        <Hidden fields={{ ...fields, csrf }} />
        <Button wide>{text('signOut.submit')}</Button>
        {others && (
          <Button kind="secondary" wide name="all" value="yes">
            {text('switch.all')}
          </Button>
        )}
        <ButtonLink kind="secondary" wide href={cancelHref}>
          {text('signOut.cancel')}
        </ButtonLink>
      </form>
      <OwnWords words={words.help} />
    </Gate>
  );
}

type SignedOutProps = ScreenProps & {
  signInHref: string;
  /** Where to choose among the accounts that stay signed in; absent if there are none. */
  switchHref?: string;
  back?: { appName: string; href: string };
  /** They did not agree to terms of use. */
  declined?: boolean;
};

/** Offers ways to continue after a sign-out. */
export function SignedOutView(props: SignedOutProps) {
  const { signInHref, switchHref, back, declined, host, locale } = props;
  const text = textIn(locale);
  const words = pageWords('signed-out', locale);
  const title = words.title ?? text('signedOut.title');
  return (
    <Gate title={title} host={host} locale={locale}>
      <h1 className="gh-title">{title}</h1>
      <OwnWords words={words.lead} />
      <p className="gh-text">{text(switchHref ? 'signedOut.others' : 'signedOut.text')}</p>
      {declined && <p className="gh-text">{text('terms.declinedText')}</p>}
      <div className="mt-6 grid gap-3">
        {back && (
          <ButtonLink wide href={back.href}>
            {rich('signedOut.back', { app: <UserText text={back.appName} /> }, locale)}
          </ButtonLink>
        )}
        <ButtonLink kind={back ? 'secondary' : 'primary'} wide href={switchHref ?? signInHref}>
          {text(switchHref ? 'switch.title' : 'signedOut.signIn')}
        </ButtonLink>
      </div>
      <OwnWords words={words.help} />
    </Gate>
  );
}
