import { csrfOfRequest } from '#lib/endpoints/screens.ts';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { openEmailLink } from '#lib/identity/email-change.ts';
import { readNotice } from '#lib/identity/notice.ts';
import { sayIn, textIn } from '#lib/messages/text.ts';
import { pageLocale } from '../../../locale.ts';
import { one } from '../../../one.ts';
import { MessageView } from '../../../ui/message.tsx';
import { EmailConfirmView } from '../../mail/view.tsx';

type Props = { searchParams: Promise<{ token?: string | string[] }> };

/** Works in any browser: the link shows whose mailbox it is, and who asked for it had given their password. */
export default async function EmailConfirmPage({ searchParams }: Props) {
  const token = one((await searchParams).token);
  const opened = await openEmailLink(token, new Date());
  const locale = await pageLocale();
  const say = sayIn(locale);
  const text = textIn(locale);
  if (!token || !opened) {
    return (
      <MessageView
        locale={locale}
        kind="waiting"
        host={issuerHost()}
        title={text('emailConfirm.deadTitle')}
        text={text('emailConfirm.deadText')}
        action={{ href: '/account', label: text('emailConfirm.account') }}
      />
    );
  }
  const request = await pageRequest();
  const notice = await readNotice(request, '/account/email/confirm');
  return (
    <EmailConfirmView
      locale={locale}
      host={issuerHost()}
      csrf={csrfOfRequest(request)}
      token={token}
      username={opened.user.username}
      email={opened.link.email}
      error={say(notice?.error)}
    />
  );
}
