import { appPage, appsPage } from '#app/account/apps/submit.ts';
import { pageRequest } from '#lib/http/next.ts';
import { readFlash } from '#lib/interaction/flash.ts';
import { csrfOfRequest } from '#lib/interaction/page.ts';
import { listContacted } from '#lib/management/client/contacts.ts';
import { sayIn, textIn } from '#lib/messages/text.ts';
import { listConnectedApps } from '#lib/store/connected-apps.ts';
import { listDelegations } from '#lib/store/delegations.ts';
import { requireUser } from '../../guards.ts';
import { pageLocale } from '../../locale.ts';
import { summaryWithActing } from '../../ui/summaries.ts';
import { DeveloperLink } from '../ui/developer-link.tsx';
import { AccountFrame } from '../ui/frame.tsx';
import { AppsView } from './view.tsx';

export default async function AppsPage() {
  const session = await requireUser();
  const locale = await pageLocale();
  const say = sayIn(locale);
  const request = await pageRequest();
  const notice = await readFlash(request, appsPage);
  const now = new Date();
  const apps = await listConnectedApps(session.user.id, now);
  const delegations = await listDelegations(session.user.id, now);
  const develops = (await listContacted(session.user.id)).length > 0;
  return (
    <AccountFrame
      locale={locale}
      at={appsPage}
      lead={textIn(locale)('apps.lead')}
      role={session.user.role}
      done={say(notice?.done)}
    >
      <AppsView
        locale={locale}
        csrf={csrfOfRequest(request)}
        apps={apps.map((app) => ({
          ...summaryWithActing(app, delegations, apps),
          href: appPage(app.id),
        }))}
      />
      {develops && <DeveloperLink locale={locale} />}
    </AccountFrame>
  );
}
