import { redirect } from 'next/navigation';
import { readWaiting } from '#app/login/waiting.ts';
import { readButtons } from '#app/login/with/screen.ts';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { newWork } from '#lib/identity/proof-of-work.ts';
import { registrationMode } from '#lib/identity/registration.ts';
import { withPendingRequest } from '#lib/interaction/return-to.ts';
import { sayIn, textIn } from '#lib/messages/text.ts';
import { pageLocale } from '../locale.ts';
import { queryValue } from '../params.ts';
import { MessageView } from '../ui/message.tsx';
import { toldBy } from '../wait.ts';
import { RegisterView } from './view.tsx';

type Props = { searchParams: Promise<{ flow?: string | string[] }> };

export default async function RegisterPage({ searchParams }: Props) {
  const request = await pageRequest();
  const now = new Date();
  const flow = queryValue((await searchParams).flow);
  const screen = await readWaiting(request, '/register', flow, now);
  if ('elsewhere' in screen) redirect(screen.elsewhere);
  const { notice, sealed } = screen;
  const mode = await registrationMode();
  const locale = await pageLocale();
  const say = sayIn(locale);
  const text = textIn(locale);
  const signInHref = withPendingRequest('/login', sealed);
  if (mode !== 'open') {
    const invited = mode === 'invitation';
    return (
      <MessageView
        locale={locale}
        kind="info"
        host={issuerHost()}
        title={text(invited ? 'register.invitedTitle' : 'register.offTitle')}
        text={text(invited ? 'register.invitedText' : 'register.offText')}
        action={{ href: signInHref, label: text('recover.back') }}
      />
    );
  }
  return (
    <RegisterView
      locale={locale}
      host={issuerHost()}
      csrf={screen.csrf}
      flow={sealed}
      appName={screen.appName}
      email={
        notice?.values?.email ?? (screen.loginHint?.includes('@') ? screen.loginHint : undefined)
      }
      error={say(notice?.error, toldBy(locale, notice))}
      work={await newWork(request, 'registration', notice?.values?.work, now)}
      fieldErrors={{ email: say(notice?.fieldErrors?.email) }}
      signInHref={signInHref}
      providers={await readButtons({ sealed, back: undefined }, 'registration')}
    />
  );
}
