import { appPage, appsPage } from '#app/account/apps/submit.ts';
import { pageRequest } from '#lib/http/next.ts';
import { readFlash } from '#lib/interaction/flash.ts';
import { csrfOfRequest } from '#lib/interaction/page.ts';
import { sayIn, textIn } from '#lib/messages/text.ts';
import { listConnectedApps } from '#lib/store/connected-apps.ts';
import { requireUser } from '../../guards.ts';
import { pageLocale } from '../../locale.ts';
import { connectedAppSummary } from '../../ui/summaries.ts';
import { AccountFrame } from '../ui/frame.tsx';
import { AppsView } from './view.tsx';

/** The user's connected apps. */
export default async function AppsPage() {
  const session = await requireUser();
  const locale = await pageLocale();
  const say = sayIn(locale);
  const request = await pageRequest();
  const notice = await readFlash(request, appsPage);
  const apps = await listConnectedApps(session.user.id, new Date());
  return (
    <AccountFrame
      locale={locale}
      at={appsPage}
      lead={textIn(locale)('apps.lead')}
      isAdmin={session.user.isAdmin}
      done={say(notice?.done)}
    >
      <AppsView
        locale={locale}
        csrf={csrfOfRequest(request)}
        apps={apps.map((app) => ({ ...connectedAppSummary(app), href: appPage(app.clientId) }))}
      />
    </AccountFrame>
  );
}
