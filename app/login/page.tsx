import { redirect } from 'next/navigation';
import { unknownField } from '#app/login/passkey.ts';
import { readSignIn } from '#app/login/screen.ts';
import { workField } from '#app/login/submit.ts';
import { readButtons } from '#app/login/with/screen.ts';
import { anotherAt } from '#app/switch/screen.ts';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { mayUseCodes } from '#lib/identity/mail-code.ts';
import { passkeysPossible, signalUnknown } from '#lib/identity/passkeys.ts';
import { signInWork } from '#lib/identity/proof-of-work.ts';
import { isKnownBrowser } from '#lib/identity/sign-in.ts';
import type { Flash } from '#lib/interaction/flash.ts';
import { safeReturnTo } from '#lib/interaction/return-to.ts';
import { orIn } from '#lib/messages/format.ts';
import type { Locale } from '#lib/messages/locales.ts';
import { sayIn, textIn } from '#lib/messages/text.ts';
import type { Session } from '#lib/store/sessions.ts';
import { pageLocale } from '../locale.ts';
import { facing } from '../ui/facing.ts';
import { MessageView } from '../ui/message.tsx';
import { PasskeySignal } from '../ui/passkey-signal.tsx';
import { toldBy } from '../wait.ts';
import type { AccountToShow } from './chosen-account.tsx';
import { SignInView } from './view.tsx';

type Query = Record<'flow' | 'back' | 'account', string | string[] | undefined>;
type Props = { searchParams: Promise<Query> };

export default async function LoginPage({ searchParams }: Props) {
  const { flow, back, account } = await searchParams;
  const request = await pageRequest();
  const now = new Date();
  const asked = {
    sealed: flow?.toString(),
    returnTo: safeReturnTo(back?.toString()),
    another: account === 'another',
  };
  const screen = await readSignIn(request, asked, now);
  if ('elsewhere' in screen) redirect(screen.elsewhere);
  const locale = await pageLocale();
  if (!screen.isSetUp) return <SetUpFirst locale={locale} />;
  const { way, app, checked, notice, arrival, chosenAccount } = screen;
  const say = sayIn(locale);
  const unknown = notice?.values?.[unknownField];
  const mailsCodes = await mayUseCodes();
  return (
    <SignInView
      locale={locale}
      host={issuerHost()}
      csrf={screen.csrf}
      flow={way.sealed}
      back={way.back}
      app={app && checked ? facing(app, checked, locale) : undefined}
      cancelHref={screen.cancelHref}
      unknownPasskey={unknown && <PasskeySignal signal={signalUnknown(unknown)} />}
      passkeys={passkeysPossible()}
      mailsCodes={mailsCodes}
      work={
        await signInWork(
          request,
          { mailsCodes, isKnown: await isKnownBrowser(request, now) },
          { code: notice?.values?.work, password: notice?.values?.[workField] },
          now,
        )
      }
      providers={await readButtons(way, 'sign-in')}
      username={screen.username}
      recoverHref={screen.recoverHref}
      registerHref={screen.registerHref}
      error={errorText(locale, notice, {
        passkey: passkeysPossible(),
        code: mailsCodes,
        reset: screen.recoverHref !== undefined,
      })}
      fieldErrors={{
        username: say(notice?.fieldErrors?.username),
        password: say(notice?.fieldErrors?.password),
      }}
      brief={screen.brief}
      lack={screen.lack}
      chosenAccount={chosenAccount ? shownAccount(chosenAccount, way.sealed) : undefined}
      notice={
        say(notice?.done) ??
        say(arrival?.key, { provider: arrival?.provider ?? '' }) ??
        (screen.again ? textIn(locale)('signIn.again') : undefined)
      }
    />
  );
}

function shownAccount(user: Session['user'], sealed: string | undefined): AccountToShow {
  return {
    account: { ...user, name: user.name ?? undefined, picture: user.picture ?? undefined },
    otherHref: anotherAt({ sealed, back: undefined }),
  };
}

/** What went wrong; after too many tries, also how else the reader gets in now. */
function errorText(
  locale: Locale,
  notice: Flash | null,
  ways: Record<'passkey' | 'code' | 'reset', boolean>,
): string | undefined {
  const text = textIn(locale);
  const values = { ...toldBy(locale, notice), provider: notice?.values?.provider ?? '' };
  const said = sayIn(locale)(notice?.error, values);
  const open = (['passkey', 'code', 'reset'] as const).filter((way) => ways[way]);
  if (notice?.error !== 'signIn.throttled' || open.length === 0) return said;
  const named = open.map((way) => text(`signIn.ways.${way}`));
  return `${said} ${text('signIn.orWays', { ways: orIn(locale, named) })}`;
}

/** Shown while no one can sign in yet. */
function SetUpFirst({ locale }: { locale: Locale }) {
  const text = textIn(locale);
  return (
    <MessageView
      locale={locale}
      kind="info"
      host={issuerHost()}
      title={text('landing.setupTitle')}
      text={text('landing.setupText')}
    />
  );
}
