import { redirect } from 'next/navigation';
import { readWaiting } from '#app/login/waiting.ts';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { withPendingRequest } from '#lib/interaction/return-to.ts';
import { linkLifetimes } from '#lib/mail/links.ts';
import { minutesIn } from '#lib/messages/format.ts';
import { textIn } from '#lib/messages/text.ts';
import { pageLocale } from '../../locale.ts';
import { queryValue } from '../../params.ts';
import { MessageView } from '../../ui/message.tsx';
import { stripBidi } from '../../ui/user-text.tsx';

type Props = { searchParams: Promise<{ flow?: string | string[] }> };

/** The same for everyone: repeats the input and reveals nothing. */
export default async function RecoverSentPage({ searchParams }: Props) {
  const screen = await readWaiting(
    await pageRequest(),
    '/recover/sent',
    queryValue((await searchParams).flow),
    new Date(),
  );
  if ('elsewhere' in screen) redirect(screen.elsewhere);
  const locale = await pageLocale();
  const text = textIn(locale);
  const time = minutesIn(locale, linkLifetimes.reset / 60_000);
  const login = screen.notice?.values?.username;
  return (
    <MessageView
      locale={locale}
      kind="info"
      host={issuerHost()}
      title={text('recover.sentTitle')}
      text={
        login
          ? text('recover.sentText', { login: stripBidi(login), time })
          : text('recover.sentTextPlain', { time })
      }
      action={{ href: withPendingRequest('/login', screen.sealed), label: text('recover.back') }}
    />
  );
}
