import { redirect } from 'next/navigation';
import { readWaiting } from '#app/login/waiting.ts';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { registrationMode } from '#lib/identity/registration.ts';
import { withPendingRequest } from '#lib/interaction/return-to.ts';
import { sayIn, textIn } from '#lib/messages/text.ts';
import { pageLocale } from '../locale.ts';
import { queryValue } from '../params.ts';
import { MessageView } from '../ui/message.tsx';
import { waitIn } from '../wait.ts';
import { RegisterView } from './view.tsx';

type Props = { searchParams: Promise<{ flow?: string | string[] }> };

export default async function RegisterPage({ searchParams }: Props) {
  const screen = await readWaiting(
    await pageRequest(),
    '/register',
    queryValue((await searchParams).flow),
    new Date(),
  );
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
      error={say(notice?.error, { wait: waitIn(locale, notice) })}
      fieldErrors={{ email: say(notice?.fieldErrors?.email) }}
      signInHref={signInHref}
    />
  );
}
