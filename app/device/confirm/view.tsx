import type { FacedApp } from '#lib/interaction/app-page.ts';
import { agoIn } from '#lib/messages/format.ts';
import { textIn } from '#lib/messages/text.ts';
import { AccountLine, switchClass } from '../../consent/account-switch.tsx';
import { AskedHead, AskedNotes } from '../../consent/asked-head.tsx';
import { Asked, decisionClass } from '../../consent/view.tsx';
import { AppMark } from '../../ui/app-mark.tsx';
import { Button } from '../../ui/button.tsx';
import { Gate } from '../../ui/gate.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { Icon } from '../../ui/line-icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { rich } from '../../ui/rich.tsx';
import { stripBidi } from '../../ui/user-text.tsx';
import type { AccountSummary, ScopeLine, ScreenProps } from '../../ui/view-models.ts';

type ConfirmDeviceProps = ScreenProps & {
  csrf: string;
  sealedCode: string;
  /** The sealed copy of what the page shows. */
  seen: string;
  app: FacedApp;
  account: AccountSummary;
  /** The code as the device shows it. */
  code: string;
  /** When and from where the device asked. */
  asked: { at: Date; address?: string };
  now: Date;
  scopes: readonly ScopeLine[];
  /** Where to sign in with another account. */
  switchHref: string;
  /** Why the page is shown again. */
  error?: string;
};

/** Asks whether to give a device access. What and where it is comes before what it would get. */
export function ConfirmDeviceView({ app, account, locale, ...props }: ConfirmDeviceProps) {
  const text = textIn(locale);
  return (
    <Gate
      title={text('device.confirmTitle', { app: stripBidi(app.name) })}
      refused={Boolean(props.error)}
      host={props.host}
      accent={app.accent}
      locale={locale}
    >
      <AskedHead
        app={app}
        face={<AppMark id={app.id} name={app.name} image={app.logo} className="size-13 text-2xl" />}
        into={<Icon name="device" className="size-7" />}
        question="device.confirmTitle"
        locale={locale}
      />
      <div className="mt-5 grid gap-5">
        <AskedNotes app={app} error={props.error} locale={locale} />
        <CodeShown {...props} locale={locale} />
        <Notice kind="warning" locale={locale} title={text('device.warnTitle')}>
          {text('device.warnText')}
        </Notice>
        <AccountLine account={account} locale={locale}>
          <a
            href={props.switchHref}
            aria-label={text('consent.switchLabel')}
            className={switchClass}
          >
            {text('consent.switch')}
          </a>
        </AccountLine>
        <Asked app={app} account={account} scopes={props.scopes} locale={locale} />
        <form method="post" action="/device/confirm/submit" className={decisionClass}>
          <Hidden fields={{ csrf: props.csrf, device: props.sealedCode, seen: props.seen }} />
          <Button name="decision" value="deny" kind="secondary">
            {text('consent.deny')}
          </Button>
          {/* A secondary button, so that no one is nudged: someone else may have sent them the
              code. */}
          <Button name="decision" value="allow" kind="secondary">
            {text('consent.allow')}
          </Button>
        </form>
        <p className="text-center text-sm text-ink-soft">{text('consent.undo')}</p>
      </div>
    </Gate>
  );
}

type CodeProps = Pick<ConfirmDeviceProps, 'code' | 'asked' | 'now' | 'locale'>;

/** The code to compare, and where the device is. */
function CodeShown({ code, asked, now, locale }: CodeProps) {
  const text = textIn(locale);
  const isJustNow = now.getTime() - asked.at.getTime() < 60_000;
  const ago = (
    <time dateTime={asked.at.toISOString()}>
      <bdi>{isJustNow ? text('device.justNow') : agoIn(locale, asked.at, now)}</bdi>
    </time>
  );
  return (
    <section className="rounded-xl border border-line bg-sunken px-4 py-3">
      <h2 className="text-sm text-ink-soft">{text('device.compare')}</h2>
      <p className="my-1 font-mono text-2xl font-semibold tracking-widest" dir="ltr">
        {code}
      </p>
      <p className="text-sm text-ink-soft">
        {asked.address === undefined
          ? rich('device.askedAgo', { ago }, locale)
          : rich(
              'device.askedFrom',
              { ago, address: <bdi className="wrap-anywhere">{asked.address}</bdi> },
              locale,
            )}
      </p>
    </section>
  );
}
