import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Destination, type DestinationFace } from '../ui/destination.tsx';
import { Gate } from '../ui/gate.tsx';
import { Hidden } from '../ui/hidden.tsx';
import { Icon } from '../ui/line-icon.tsx';
import { Mark } from '../ui/mark.tsx';
import { Notice } from '../ui/notice.tsx';
import { rich } from '../ui/rich.tsx';
import { ScopeList } from '../ui/scope-list.tsx';
import { stripBidi, UserText } from '../ui/user-text.tsx';
import type { AccountSummary, AppSummary, ScopeLine, ScreenProps } from '../ui/view-models.ts';
import { AccountSwitch } from './account-switch.tsx';

export type ConsentProps = ScreenProps & {
  csrf: string;
  flow: string;
  /** The sealed copy of what the page shows. */
  seen: string;
  app: AppSummary;
  account: AccountSummary;
  destination: DestinationFace;
  scopes: readonly ScopeLine[];
  /** Why the page is shown again. */
  error?: string;
};

/** The consent page: app, scopes, account, destination, and the two buttons. */
export function ConsentView(props: ConsentProps) {
  const { app, account, scopes, locale } = props;
  const text = textIn(locale);
  const { unregistered, insecure } = props.destination;
  const long = app.name.length > 40;
  return (
    <Gate
      title={text('consent.title', { app: stripBidi(app.name) })}
      refused={Boolean(props.error)}
      host={props.host}
      locale={locale}
    >
      <div className="flex items-center gap-2.5 text-line-strong">
        <Avatar name={app.name} image={app.logo} shape="square" className="size-13 text-2xl" />
        <Icon name="swap" className="size-5" />
        <span className="grid size-13 place-items-center rounded-[28%] border border-line bg-sunken text-accent">
          <Mark className="size-7" />
        </span>
      </div>
      <h1 className={classNames('mt-4', long ? 'text-lg leading-snug font-semibold' : 'gh-title')}>
        {rich(
          'consent.title',
          { app: <UserText className="text-accent" text={app.name} /> },
          locale,
        )}
      </h1>
      <div className="mt-5 grid gap-5">
        {props.error && (
          <Notice kind="error" locale={locale}>
            {props.error}
          </Notice>
        )}
        <AccountSwitch account={account} csrf={props.csrf} flow={props.flow} locale={locale} />
        <Section title={text('consent.shared')}>
          <div className="flex gap-3">
            <Icon name="at" className="mt-0.5 size-5 text-accent" />
            <p className="min-w-0">
              {text('consent.sharedText')}
              <span className="block text-sm text-ink-soft">
                {rich(
                  'consent.sharedValues',
                  {
                    username: <UserText text={account.username} />,
                    email: <UserText text={account.email} />,
                  },
                  locale,
                )}
              </span>
            </p>
          </div>
        </Section>
        {scopes.length > 0 && (
          <Section title={text('consent.scopes')}>
            <ScopeList scopes={scopes} locale={locale} />
          </Section>
        )}
        <Destination to={props.destination} locale={locale} />
        <form method="post" action="/consent/submit" className="grid grid-cols-2 gap-3">
          <Hidden fields={{ csrf: props.csrf, flow: props.flow, seen: props.seen }} />
          <Button name="decision" value="deny" kind="secondary">
            {text('consent.deny')}
          </Button>
          {/* Nobody is led towards an address that may be a trap. */}
          <Button
            name="decision"
            value="allow"
            kind={unregistered || insecure ? 'secondary' : 'primary'}
          >
            {text('consent.allow')}
          </Button>
        </form>
      </div>
      <div className="mt-5 grid gap-1 text-center text-sm text-ink-soft">
        <p>{text('consent.undo')}</p>
        <AppLinks app={app} locale={locale} />
      </div>
    </Gate>
  );
}

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section>
      <h2 className="mb-2.5 text-sm font-semibold text-ink-soft">{title}</h2>
      {children}
    </section>
  );
}

function AppLinks({ app, locale }: { app: AppSummary; locale: Locale }) {
  const text = textIn(locale);
  const links = [
    { href: app.homePage, label: text('consent.home') },
    { href: app.privacyLink, label: text('consent.privacy') },
    { href: app.termsLink, label: text('consent.terms') },
  ].filter((link) => link.href);
  if (links.length === 0) return null;
  return (
    <nav aria-label={text('consent.about')}>
      <ul className="flex flex-wrap justify-center gap-x-4">
        {links.map((link) => (
          <li key={link.label}>
            <a
              className="gh-link inline-block py-1"
              href={link.href}
              rel="noreferrer"
              target="_blank"
            >
              {link.label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
