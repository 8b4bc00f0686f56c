import { textIn } from '#lib/messages/text.ts';
import type { AppPage } from '#lib/store/app-page.ts';
import { AccountLine } from '../consent/account-switch.tsx';
import { AppMark } from '../ui/app-mark.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Gate } from '../ui/gate.tsx';
import { Hidden } from '../ui/hidden.tsx';
import { rich } from '../ui/rich.tsx';
import { stripBidi, UserText } from '../ui/user-text.tsx';
import type { AccountSummary, ScreenProps } from '../ui/view-models.ts';

type NoAccessProps = ScreenProps & {
  /** Keeps a pending request; or the address to sign in with another account. */
  csrf?: string;
  flow?: string;
  switchHref?: string;
  app: AppPage;
  /** Absent before the sign-in. */
  account?: AccountSummary;
  /** The user may use the app from elsewhere: their address is not allowed, or is not known. */
  place: 'outside' | 'unknown' | null;
  address?: string;
  /** Where people get help, as set by the operator. */
  supportLink?: string;
  /** Continues, for users who have been given access meanwhile. */
  againHref: string;
  /** Returns to the app with an error; absent for a device, or if that address might be a trap. */
  backHref?: string;
};

/** Says that the user may not use an app (or not from here), who can help, and how to continue. */
export function NoAccessView({ app, account, locale, ...props }: NoAccessProps) {
  const text = textIn(locale);
  const long = app.name.length > 40;
  return (
    <Gate
      title={text('noAccess.title', { app: stripBidi(app.name) })}
      refused
      host={props.host}
      locale={locale}
    >
      <AppMark id={app.id} name={app.name} image={app.logo} className="size-13 text-2xl" />
      <h1 className={classNames('mt-4', long ? 'text-lg leading-snug font-semibold' : 'gh-title')}>
        {rich('noAccess.title', { app: <UserText text={app.name} /> }, locale)}
      </h1>
      <div className="mt-5 grid gap-5">
        {account && !props.place && (
          <AccountLine account={account} locale={locale}>
            {null}
          </AccountLine>
        )}
        <p>
          <Why {...props} locale={locale} /> <WhomToAsk link={props.supportLink} locale={locale} />
        </p>
        <div className="grid gap-3">
          {props.backHref && (
            <ButtonLink wide href={props.backHref}>
              {/* One box, so that the button's gap does not split the sentence. */}
              <span>
                {long
                  ? text('noAccess.backPlain')
                  : rich('noAccess.back', { app: <UserText text={app.name} /> }, locale)}
              </span>
            </ButtonLink>
          )}
          {props.switchHref && !props.place && (
            <ButtonLink kind="secondary" wide href={props.switchHref}>
              {text('noAccess.switch')}
            </ButtonLink>
          )}
          {account && props.flow && !props.place && (
            <form method="post" action="/switch/submit">
              <Hidden fields={{ csrf: props.csrf, flow: props.flow }} />
              <Button kind="secondary" wide>
                {text('noAccess.switch')}
              </Button>
            </form>
          )}
        </div>
      </div>
      <p className="mt-5 text-center text-sm">
        <a className="gh-link inline-block py-1" href={props.againHref}>
          {text(props.place ? 'noAccess.againThere' : 'noAccess.again')}
        </a>
      </p>
    </Gate>
  );
}

type WhyProps = Pick<NoAccessProps, 'place' | 'address' | 'locale'>;

function Why({ place, address, locale }: WhyProps) {
  const text = textIn(locale);
  if (!place) return text('noAccess.text');
  if (place === 'unknown' || !address) return text('noAccess.placeUnknown');
  return rich(
    'noAccess.place',
    { address: <bdi className="wrap-anywhere">{address}</bdi> },
    locale,
  );
}

function WhomToAsk({ link, locale }: { link?: string } & Pick<ScreenProps, 'locale'>) {
  const text = textIn(locale);
  if (!link) return text('noAccess.askAdmin');
  return rich(
    'noAccess.ask',
    {
      help: (
        <a className="gh-link" href={link} rel="noreferrer">
          {text('noAccess.askLink')}
        </a>
      ),
    },
    locale,
  );
}
