import { notFound } from 'next/navigation';
import { appPage, appsPage } from '#app/account/apps/submit.ts';
import { decoded } from '#lib/http/decoded.ts';
import { pageRequest } from '#lib/http/next.ts';
import { readFlash } from '#lib/interaction/flash.ts';
import { csrfOfRequest } from '#lib/interaction/page.ts';
import { sayIn } from '#lib/messages/text.ts';
import { seenWith } from '#lib/oauth/userinfo.ts';
import { findInfoUser } from '#lib/store/access-tokens.ts';
import { findClient } from '#lib/store/clients.ts';
import { findConnectedApp, listConnectedApps } from '#lib/store/connected-apps.ts';
import { listDelegations } from '#lib/store/delegations.ts';
import { findFurtherFacts } from '#lib/store/groups-and-fields.ts';
import { requireUser } from '../../../guards.ts';
import { pageLocale } from '../../../locale.ts';
import { summaryWithActing } from '../../../ui/summaries.ts';
import { stripBidi, UserText } from '../../../ui/user-text.tsx';
import { AccountFrame } from '../../ui/frame.tsx';
import { AppView } from './view.tsx';

type Props = { params: Promise<{ clientId: string }> };

/** One app: what it may do, and the claims it sees, computed by the function that sends them. */
export default async function AppPage({ params }: Props) {
  const session = await requireUser();
  const locale = await pageLocale();
  const say = sayIn(locale);
  const request = await pageRequest();
  const clientId = decoded((await params).clientId);
  const now = new Date();
  const app = await findConnectedApp(session.user.id, clientId, now);
  const user = await findInfoUser(session.user.id);
  const client = await findClient(clientId);
  if (!app || !user || !client) notFound();
  const shown = summaryWithActing(
    app,
    await listDelegations(session.user.id, now),
    await listConnectedApps(session.user.id, now),
  );
  const further = await findFurtherFacts(user.id);
  const granted = { scopes: app.scopes.map(({ name }) => name), asked: [] };
  const notice = await readFlash(request, appPage(clientId));
  return (
    <AccountFrame
      locale={locale}
      at={appsPage}
      title={stripBidi(shown.name)}
      heading={<UserText className="wrap-anywhere" text={shown.name} />}
      role={session.user.role}
      done={say(notice?.done)}
    >
      <AppView
        locale={locale}
        csrf={csrfOfRequest(request)}
        app={shown}
        claims={seenWith(app.tokens, { user, rules: client, facts: further }, granted)}
      />
    </AccountFrame>
  );
}
