import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { csrfOfRequest } from '#lib/interaction/page.ts';
import { openLink, signedInAt } from '#lib/mail/links.ts';
import { textIn } from '#lib/messages/text.ts';
import { pageLocale } from '../../locale.ts';
import { queryValue } from '../../params.ts';
import { MessageView } from '../../ui/message.tsx';
import { NotMeView } from './view.tsx';

type Props = { searchParams: Promise<{ token?: string | string[] }> };

/** Asks first, because mail scanners open links, too. */
export default async function NotMePage({ searchParams }: Props) {
  const token = queryValue((await searchParams).token);
  const opened = await openLink(token, ['not-me'], new Date());
  const locale = await pageLocale();
  const text = textIn(locale);
  if (!token || !opened?.user)
    return (
      <MessageView
        locale={locale}
        kind="waiting"
        host={issuerHost()}
        title={text('notMe.deadTitle')}
        text={text('notMe.deadText')}
        action={{ href: '/recover', label: text('notMe.recover') }}
      />
    );
  return (
    <NotMeView
      locale={locale}
      host={issuerHost()}
      csrf={csrfOfRequest(await pageRequest())}
      token={token}
      username={opened.user.username}
      at={signedInAt(opened.link)}
      from={opened.link.invitee.signInFrom}
    />
  );
}
