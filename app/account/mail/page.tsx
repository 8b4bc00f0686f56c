import { accountMailPage } from '#lib/endpoints/account-mail.ts';
import { csrfOfRequest } from '#lib/endpoints/screens.ts';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { canSendMail } from '#lib/identity/mail/post.ts';
import { readNotice } from '#lib/identity/notice.ts';
import { noticeChoices } from '#lib/identity/notices.ts';
import { sayKey } from '#lib/messages/text.ts';
import { requireUser } from '../../guards.ts';
import { plain } from '../../ui/given.tsx';
import { AccountMailView } from '../../ui/views/account-mail.tsx';

export default async function AccountMailPage() {
  const request = await pageRequest();
  const session = await requireUser();
  const notice = await readNotice(request, accountMailPage);
  const say = (field: string) => sayKey(notice?.fieldErrors?.[field], { wait: '15 minutes' });
  return (
    <AccountMailView
      host={issuerHost()}
      email={{
        csrf: csrfOfRequest(request),
        current: session.user.email,
        typed: notice?.values?.email,
        username: session.user.username,
        canSendMail: canSendMail(),
        fieldErrors: { email: say('email'), current_password: say('current_password') },
      }}
      choices={await noticeChoices(session.user.id)}
      done={sayKey(notice?.done, { email: plain(notice?.values?.sentTo ?? '') })}
    />
  );
}
