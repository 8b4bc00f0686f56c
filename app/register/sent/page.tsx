import { redirect } from 'next/navigation';
import { readWaiting } from '#app/login/waiting.ts';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { withPendingRequest } from '#lib/interaction/return-to.ts';
import { textIn } from '#lib/messages/text.ts';
import { pageLocale } from '../../locale.ts';
import { queryValue } from '../../params.ts';
import { MessageView } from '../../ui/message.tsx';
import { stripBidi } from '../../ui/user-text.tsx';

type Props = { searchParams: Promise<{ flow?: string | string[] }> };

/** The same for an address that has an account and one that has none. */
export default async function RegisterSentPage({ searchParams }: Props) {
  const screen = await readWaiting(
    await pageRequest(),
    '/register/sent',
    queryValue((await searchParams).flow),
    new Date(),
  );
  if ('elsewhere' in screen) redirect(screen.elsewhere);
  const locale = await pageLocale();
  const text = textIn(locale);
  const email = screen.notice?.values?.email;
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
      action={{ href: withPendingRequest('/login', screen.sealed), label: text('recover.back') }}
    />
  );
}
