import { deletePage } from '#app/account/delete/submit.ts';
import { pageRequest } from '#lib/http/next.ts';
import { readFlash } from '#lib/interaction/flash.ts';
import { csrfOfRequest } from '#lib/interaction/page.ts';
import { sayIn } from '#lib/messages/text.ts';
import { findDeletion } from '#lib/store/account-deletion.ts';
import { readSettings } from '#lib/store/settings.ts';
import { askingOn, unseenFault } from '../../asking.ts';
import { requireUser } from '../../guards.ts';
import { pageLocale } from '../../locale.ts';
import { AccountFrame } from '../ui/frame.tsx';
import { DeleteView, DeletionOff, DeletionWaits } from './view.tsx';

export default async function DeletePage() {
  const session = await requireUser();
  const locale = await pageLocale();
  const say = sayIn(locale);
  const request = await pageRequest();
  const notice = await readFlash(request, deletePage);
  const csrf = csrfOfRequest(request);
  const asking = await askingOn({ request, session, notice, locale, now: new Date() });
  const due = await findDeletion(session.user.id);
  const { accountDeletion: days, auditRetentionDays } = await readSettings();
  return (
    <AccountFrame
      locale={locale}
      at={deletePage}
      role={session.user.role}
      done={say(notice?.done)}
      error={say(notice?.error) ?? unseenFault(locale, notice, asking)}
    >
      {due ? (
        <DeletionWaits locale={locale} csrf={csrf} due={due} />
      ) : days === 'off' ? (
        <DeletionOff locale={locale} />
      ) : (
        <DeleteView
          locale={locale}
          csrf={csrf}
          days={days}
          auditDays={auditRetentionDays}
          asking={asking}
          sure={notice?.values?.sure === 'on'}
        />
      )}
    </AccountFrame>
  );
}
