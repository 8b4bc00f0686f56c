import { redirect } from 'next/navigation';
import { unknownField } from '#app/login/passkey.ts';
import { isChoiceDue, type LoginScreen, readLoginScreen } from '#app/login/screen.ts';
import { readArrivalNotice, readButtons } from '#app/login/with/screen.ts';
import { anotherAt } from '#app/switch/screen.ts';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { isFresh } from '#lib/identity/guards.ts';
import { mayUseCodes } from '#lib/identity/mail-code.ts';
import { passkeysPossible, signalUnknown } from '#lib/identity/passkeys.ts';
import { newWork } from '#lib/identity/proof-of-work.ts';
import { registrationMode } from '#lib/identity/registration.ts';
import { isForDevice } from '#lib/interaction/device-request.ts';
import { safeReturnTo, stepAddress, withPendingRequest } from '#lib/interaction/return-to.ts';
import { canSendMail } from '#lib/mail/post.ts';
import { sayIn, textIn } from '#lib/messages/text.ts';
import { hasPeople } from '#lib/store/users.ts';
import { pageLocale } from '../locale.ts';
import { facing } from '../ui/facing.ts';
import { MessageView } from '../ui/message.tsx';
import { PasskeySignal } from '../ui/passkey-signal.tsx';
import { toldBy } from '../wait.ts';
import type { AtHand } from './at-hand.tsx';
import { SignInView } from './view.tsx';

type Query = Record<'flow' | 'back' | 'account', string | string[] | undefined>;
type Props = { searchParams: Promise<Query> };

/** A refused form is shown again for the account that it was for. */
function atHandOf({ choice, sealed, notice }: LoginScreen): AtHand | undefined {
  if (!choice || !sealed) return undefined;
  const typed = notice?.values?.username;
  if (typed !== undefined && typed !== choice.username) return undefined;
  return {
    account: { ...choice, name: choice.name ?? undefined, picture: choice.picture ?? undefined },
    otherHref: anotherAt({ sealed, back: undefined }),
  };
}

export default async function LoginPage({ searchParams }: Props) {
  const { flow, back, account } = await searchParams;
  const request = await pageRequest();
  const now = new Date();
  const screen = await readLoginScreen(request, flow?.toString(), now);
  if ('elsewhere' in screen) redirect(screen.elsewhere);
  const wanted = safeReturnTo(back === undefined ? undefined : String(back));
  const asksAgain =
    screen.session !== null &&
    wanted !== undefined &&
    (isForDevice(wanted) || !isFresh(screen.session, now));
  const another = account === 'another';
  const adds = another || screen.notice?.values?.username !== undefined;
  if (screen.session && !screen.sealed && !asksAgain && !adds) redirect(wanted ?? '/account');
  const { checked, notice, sealed } = screen;
  if (!another && (await isChoiceDue(screen, request, now)))
    redirect(stepAddress('/switch', { sealed, back: wanted }));
  const atHand = another ? undefined : atHandOf(screen);
  const way = { sealed, back: sealed ? undefined : wanted };
  const arrival = await readArrivalNotice(request, screen.flowId, now);
  const unknown = notice?.values?.[unknownField];
  const locale = await pageLocale();
  const say = sayIn(locale);
  const text = textIn(locale);
  const mailsCodes = await mayUseCodes();
  const registers = (await registrationMode()) === 'open';
  if (!registers && !(await hasPeople()))
    return (
      <MessageView
        locale={locale}
        kind="info"
        host={issuerHost()}
        title={text('landing.setupTitle')}
        text={text('landing.setupText')}
      />
    );
  return (
    <SignInView
      locale={locale}
      host={issuerHost()}
      csrf={screen.csrf}
      flow={sealed}
      back={sealed ? undefined : wanted}
      app={screen.app && checked ? facing(screen.app, checked, locale) : undefined}
      cancelHref={sealed ? `/oauth/cancel?flow=${sealed}` : asksAgain ? '/account' : undefined}
      unknownPasskey={unknown && <PasskeySignal signal={signalUnknown(unknown)} />}
      passkeys={passkeysPossible()}
      mailsCodes={mailsCodes}
      work={mailsCodes ? await newWork(request, 'sign-in-code', notice?.values?.work, now) : null}
      providers={await readButtons(way, 'sign-in')}
      username={
        notice?.values?.username ??
        arrival?.email ??
        checked?.request.loginHint ??
        ((asksAgain || screen.lack) && !another ? screen.session?.user.username : undefined)
      }
      recoverHref={canSendMail() ? withPendingRequest('/recover', sealed) : undefined}
      registerHref={
        registers && !screen.session ? withPendingRequest('/register', sealed) : undefined
      }
      error={say(notice?.error, {
        ...toldBy(locale, notice),
        provider: notice?.values?.provider ?? '',
      })}
      fieldErrors={{
        username: say(notice?.fieldErrors?.username),
        password: say(notice?.fieldErrors?.password),
      }}
      brief={notice ? notice.values?.brief === 'on' : screen.session?.brief}
      lack={screen.lack}
      atHand={atHand}
      notice={
        say(notice?.done) ??
        (arrival && say(arrival.key, { provider: arrival.provider })) ??
        (!atHand && !another && (screen.again || asksAgain) ? text('signIn.again') : undefined)
      }
    />
  );
}
