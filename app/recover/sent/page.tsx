import { redirect } from 'next/navigation';
import { readWaiting } from '#app/login/waiting.ts';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { withFlow } from '#lib/interaction/return-to.ts';
import { linkLives } from '#lib/mail/links.ts';
import { minutesIn } from '#lib/messages/format.ts';
import { textIn } from '#lib/messages/text.ts';
import { pageLocale } from '../../locale.ts';
import { one } from '../../one.ts';
import { plain } from '../../ui/given.tsx';
import { MessageView } from '../../ui/message.tsx';

type Props = { searchParams: Promise<{ flow?: string | string[] }> };

/** The same for everyone: repeats the input and reveals nothing. */
export default async function RecoverSentPage({ searchParams }: Props) {
  const screen = await readWaiting(
    await pageRequest(),
    '/recover/sent',
    one((await searchParams).flow),
    new Date(),
  );
  if ('elsewhere' in screen) redirect(screen.elsewhere);
  const locale = await pageLocale();
  const text = textIn(locale);
  const time = minutesIn(locale, linkLives.reset / 60_000);
  const login = screen.notice?.values?.username;
  return (
    <MessageView
      locale={locale}
      kind="info"
      host={issuerHost()}
      title={text('recover.sentTitle')}
      text={
        login
          ? text('recover.sentText', { login: plain(login), time })
          : text('recover.sentTextPlain', { time })
      }
      action={{ href: withFlow('/login', screen.sealed), label: text('recover.back') }}
    />
  );
}
