import { accountMailPage } from '#app/account/mail/submit.ts';
import { pageRequest } from '#lib/http/next.ts';
import { pendingEmailChange } from '#lib/identity/email-change.ts';
import { readFlash } from '#lib/interaction/flash.ts';
import { csrfOfRequest } from '#lib/interaction/page.ts';
import { noticeChoices } from '#lib/mail/notify.ts';
import { canSendMail } from '#lib/mail/post.ts';
import { sayIn, textIn } from '#lib/messages/text.ts';
import { isEmailVerified } from '#lib/store/users.ts';
import { askingOn, unseenFault } from '../../asking.ts';
import { requireUser } from '../../guards.ts';
import { pageLocale } from '../../locale.ts';
import { stripBidi } from '../../ui/user-text.tsx';
import { toldBy, waitIn } from '../../wait.ts';
import { AccountFrame } from '../ui/frame.tsx';
import { AddressCodeCard, ConfirmEmailNotice, EmailCard, NoticesCard } from './view.tsx';

export default async function AccountMailPage() {
  const request = await pageRequest();
  const session = await requireUser();
  const locale = await pageLocale();
  const say = sayIn(locale);
  const csrf = csrfOfRequest(request);
  const notice = await readFlash(request, accountMailPage);
  const asking = await askingOn({ request, session, notice, locale, now: new Date() }, 'confirmed');
  const told = toldBy(locale, notice);
  const fault = (field: string) => say(notice?.fieldErrors?.[field], told);
  const inProof = await pendingEmailChange(request, session.user.id, new Date());
  const shown = ['email', ...(inProof ? ['code'] : [])];
  const unseen = unseenFault(locale, notice, asking, shown);
  return (
    <AccountFrame
      locale={locale}
      at={accountMailPage}
      lead={textIn(locale)('emailChange.lead')}
      role={session.user.role}
      done={say(notice?.done, { email: stripBidi(notice?.values?.sentTo ?? '') })}
      error={say(notice?.error, { wait: waitIn(locale, notice) }) ?? unseen}
      refused={Boolean(notice?.fieldErrors)}
    >
      {inProof && (
        <AddressCodeCard locale={locale} csrf={csrf} email={inProof} error={fault('code')} />
      )}
      {!(await isEmailVerified(session.user.id)) && (
        <ConfirmEmailNotice locale={locale} csrf={csrf} canSendMail={canSendMail()} />
      )}
      <EmailCard
        locale={locale}
        csrf={csrf}
        current={session.user.email}
        typed={notice?.values?.email}
        asking={asking}
        canSendMail={canSendMail()}
        fieldErrors={{ email: fault('email') }}
      />
      {canSendMail() && (
        <NoticesCard locale={locale} csrf={csrf} choices={await noticeChoices(session.user)} />
      )}
    </AccountFrame>
  );
}
