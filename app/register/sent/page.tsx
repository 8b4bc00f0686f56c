import { redirect } from 'next/navigation';
import { readWaiting } from '#app/login/waiting.ts';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { pendingRegistrationEmail } from '#lib/identity/registration.ts';
import { withPendingRequest } from '#lib/interaction/return-to.ts';
import { sayIn, textIn } from '#lib/messages/text.ts';
import { pageLocale } from '../../locale.ts';
import { queryValue } from '../../params.ts';
import { MessageView } from '../../ui/message.tsx';
import { stripBidi } from '../../ui/user-text.tsx';
import { toldBy } from '../../wait.ts';
import { RegistrationCodeView } from '../view.tsx';

type Props = { searchParams: Promise<{ flow?: string | string[] }> };

/** The same page whether or not the address has an account. */
export default async function RegisterSentPage({ searchParams }: Props) {
  const request = await pageRequest();
  const now = new Date();
  const flow = queryValue((await searchParams).flow);
  const screen = await readWaiting(request, '/register/sent', flow, now);
  if ('elsewhere' in screen) redirect(screen.elsewhere);
  const locale = await pageLocale();
  const text = textIn(locale);
  const backHref = withPendingRequest('/login', screen.sealed);
  const inProof = await pendingRegistrationEmail(request, now);
  const { notice } = screen;
  if (inProof) {
    const say = sayIn(locale);
    const told = toldBy(locale, notice);
    return (
      <RegistrationCodeView
        locale={locale}
        host={issuerHost()}
        csrf={screen.csrf}
        flow={screen.sealed}
        email={inProof}
        againHref={withPendingRequest('/register', screen.sealed)}
        backHref={backHref}
        error={say(notice?.error, told)}
        fieldErrors={{ code: say(notice?.fieldErrors?.code, told) }}
      />
    );
  }
  const email = notice?.values?.email;
  return (
    <MessageView
      locale={locale}
      kind="info"
      host={issuerHost()}
      title={text('register.sentTitle')}
      text={
        email
          ? text('register.sentText', { email: stripBidi(email) })
          : text('register.sentTextPlain')
      }
      action={{ href: backHref, label: text('recover.back') }}
    />
  );
}
