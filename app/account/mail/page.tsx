import { accountMailPage } from '#lib/endpoints/account-mail.ts';
import { csrfOfRequest } from '#lib/endpoints/screens.ts';
import { pageRequest } from '#lib/http/next.ts';
import { canSendMail } from '#lib/identity/mail/post.ts';
import { readNotice } from '#lib/identity/notice.ts';
import { noticeChoices } from '#lib/identity/notices.ts';
import { sayKey, textIn } from '#lib/messages/text.ts';
import { requireUser } from '../../guards.ts';
import { AccountFrame } from '../../ui/account-frame.tsx';
import { plain } from '../../ui/given.tsx';
import { EmailCard, NoticesCard } from '../../ui/views/account-mail.tsx';

/** Where and about what the person is written to. */
export default async function AccountMailPage() {
  const request = await pageRequest();
  const session = await requireUser();
  const csrf = csrfOfRequest(request);
  const notice = await readNotice(request, accountMailPage);
  const say = (field: string) => sayKey(notice?.fieldErrors?.[field], { wait: '15 minutes' });
  return (
    <AccountFrame
      at={accountMailPage}
      lead={textIn()('emailChange.lead')}
      isAdmin={session.user.isAdmin}
      done={sayKey(notice?.done, { email: plain(notice?.values?.sentTo ?? '') })}
      refused={Boolean(notice?.fieldErrors)}
    >
      <EmailCard
        csrf={csrf}
        current={session.user.email}
        typed={notice?.values?.email}
        username={session.user.username}
        canSendMail={canSendMail()}
        fieldErrors={{ email: say('email'), current_password: say('current_password') }}
      />
      {canSendMail() && <NoticesCard csrf={csrf} choices={await noticeChoices(session.user.id)} />}
    </AccountFrame>
  );
}
