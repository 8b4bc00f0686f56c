import { dataPage } from '#app/account/your-data/submit.ts';
import { pageRequest } from '#lib/http/next.ts';
import { readFlash } from '#lib/interaction/flash.ts';
import { csrfOfRequest } from '#lib/interaction/page.ts';
import { activityDays } from '#lib/management/user/activity.ts';
import { sayIn, textIn } from '#lib/messages/text.ts';
import { listAnswersOf } from '#lib/store/terms.ts';
import { askingOn, unseenFault } from '../../asking.ts';
import { requireUser } from '../../guards.ts';
import { pageLocale } from '../../locale.ts';
import { waitIn } from '../../wait.ts';
import { AccountFrame } from '../ui/frame.tsx';
import { OwnDataView } from './view.tsx';

export default async function DataPage() {
  const session = await requireUser();
  const locale = await pageLocale();
  const request = await pageRequest();
  const notice = await readFlash(request, dataPage);
  const asking = await askingOn({ request, session, notice, locale, now: new Date() });
  const error = sayIn(locale)(notice?.error, { wait: waitIn(locale, notice) });
  return (
    <AccountFrame
      locale={locale}
      at={dataPage}
      lead={textIn(locale)('data.lead')}
      role={session.user.role}
      error={error ?? unseenFault(locale, notice, asking)}
    >
      <OwnDataView
        locale={locale}
        csrf={csrfOfRequest(request)}
        days={String(activityDays)}
        format={notice?.values?.format === 'json' ? 'json' : 'html'}
        asking={asking}
        agreed={(await listAnswersOf(session.user.id)).filter(({ answer }) => answer === 'agreed')}
      />
    </AccountFrame>
  );
}
