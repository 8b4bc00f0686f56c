import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { passwordLengths, passwordLimits } from '#lib/identity/passwords.ts';
import { readFlash } from '#lib/interaction/flash.ts';
import { csrfOfRequest } from '#lib/interaction/page.ts';
import { linkLifetimes, openLink } from '#lib/mail/links.ts';
import { minutesIn } from '#lib/messages/format.ts';
import { sayIn, textIn } from '#lib/messages/text.ts';
import { pageLocale } from '../../locale.ts';
import { queryValue } from '../../params.ts';
import { MessageView } from '../../ui/message.tsx';
import { ResetView } from '../view.tsx';

type Props = { searchParams: Promise<{ token?: string | string[] }> };

/** Opening a link doesn't use it up: mail scanners open links too. */
export default async function ResetPage({ searchParams }: Props) {
  const token = queryValue((await searchParams).token);
  const opened = await openLink(token, ['reset'], new Date());
  const locale = await pageLocale();
  const say = sayIn(locale);
  const text = textIn(locale);
  if (!token || !opened?.user) {
    return (
      <MessageView
        locale={locale}
        kind="waiting"
        host={issuerHost()}
        title={text('reset.deadTitle')}
        text={text('reset.deadText', { time: minutesIn(locale, linkLifetimes.reset / 60_000) })}
        action={{ href: '/recover', label: text('reset.again') }}
      />
    );
  }
  const request = await pageRequest();
  const notice = await readFlash(request, '/recover/reset');
  return (
    <ResetView
      locale={locale}
      host={issuerHost()}
      csrf={csrfOfRequest(request)}
      token={token}
      username={opened.user.username}
      passwordLength={passwordLimits.min}
      done={say(notice?.done)}
      fieldErrors={{ new_password: say(notice?.fieldErrors?.new_password, passwordLengths) }}
    />
  );
}
