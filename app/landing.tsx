import { textIn } from '#lib/messages/text.ts';
import { ButtonLink } from './ui/button.tsx';
import { Icon, type IconName } from './ui/line-icon.tsx';
import { Mark } from './ui/mark.tsx';
import { Notice } from './ui/notice.tsx';
import { PageTitle } from './ui/page-title.tsx';
import { rich } from './ui/rich.tsx';
import { UserText } from './ui/user-text.tsx';
import type { ScreenProps } from './ui/view-models.ts';

type LandingProps = ScreenProps & {
  host: string;
  signInHref: string;
  /** Where "Go to your account" leads, if signed in. */
  accountHref?: string;
  /** No admin exists yet. */
  needsSetup?: boolean;
  metadataHref: string;
};

/** The start page of a server people usually reach via an app. */
export function LandingView({
  host,
  signInHref,
  accountHref,
  needsSetup,
  metadataHref,
  locale,
}: LandingProps) {
  const text = textIn(locale);
  return (
    <div className="gh-gate">
      <PageTitle title={text('landing.title')} locale={locale} />
      <header className="gh-gate-head pb-0!">
        <a
          href="/"
          className="grid justify-items-center gap-3 rounded-2xl font-semibold text-ink no-underline"
        >
          <span className="grid size-24 place-items-center rounded-[30%] border border-line bg-surface text-accent shadow-(--shade)">
            <Mark className="size-14" />
          </span>
          {text('product.name')}
        </a>
      </header>
      <main className="w-full max-w-xl pb-12 text-center">
        <h1 className="mt-8 text-4xl font-semibold tracking-tight text-balance sm:text-5xl">
          {text('landing.title')}
        </h1>
        <p className="mx-auto mt-4 max-w-md text-lg text-balance text-ink-soft">
          {rich(
            'landing.lead',
            { host: <UserText className="font-semibold text-ink" text={host} /> },
            locale,
          )}
        </p>
        {needsSetup ? (
          <div className="mt-8 text-start">
            <Notice kind="info" title={text('landing.setupTitle')} locale={locale}>
              {text('landing.setupText')}
            </Notice>
          </div>
        ) : (
          <p className="mt-8">
            {accountHref ? (
              <ButtonLink href={accountHref}>{text('landing.account')}</ButtonLink>
            ) : (
              <ButtonLink href={signInHref}>{text('landing.signIn')}</ButtonLink>
            )}
          </p>
        )}
        <ul className="mt-12 grid gap-px overflow-hidden rounded-2xl border border-line bg-line text-start">
          <Fact
            icon="lock"
            title={text('landing.factPassword')}
            text={text('landing.factPasswordText')}
          />
          <Fact
            icon="shield"
            title={text('landing.factConsent')}
            text={text('landing.factConsentText')}
          />
          <Fact
            icon="arrowBack"
            title={text('landing.factRemove')}
            text={text('landing.factRemoveText')}
          />
        </ul>
        <p className="mt-8 text-sm text-ink-soft">
          <strong className="font-semibold text-ink">{text('landing.developers')}</strong>{' '}
          {rich(
            'landing.developersText',
            {
              link: (
                <a className="gh-link" href={metadataHref}>
                  {metadataHref}
                </a>
              ),
            },
            locale,
          )}{' '}
          <a className="gh-link" href="/docs">
            {text('landing.docs')}
          </a>
        </p>
      </main>
    </div>
  );
}

function Fact({ icon, title, text }: { icon: IconName; title: string; text: string }) {
  return (
    <li className="flex gap-4 bg-surface px-5 py-4">
      <Icon name={icon} className="mt-0.5 size-5 text-accent" />
      <div>
        <h2 className="font-semibold">{title}</h2>
        <p className="text-sm text-ink-soft">{text}</p>
      </div>
    </li>
  );
}
