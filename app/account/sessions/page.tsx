import { isSameNetwork, networkOf, ownAddress } from '#lib/http/network.ts';
import { pageRequest } from '#lib/http/next.ts';
import { deviceOf } from '#lib/identity/device.ts';
import { listDevices } from '#lib/identity/remembered-device.ts';
import { readFlash } from '#lib/interaction/flash.ts';
import { csrfOfRequest } from '#lib/interaction/page.ts';
import { sayIn, textIn } from '#lib/messages/text.ts';
import { sessionName } from '#lib/oauth/id-token.ts';
import { listSessionsOf } from '#lib/store/sessions.ts';
import { requireUser } from '../../guards.ts';
import { pageLocale } from '../../locale.ts';
import { AccountFrame } from '../ui/frame.tsx';
import { RememberedView } from './remembered-view.tsx';
import { sessionsPage } from './submit.ts';
import { SessionsView } from './view.tsx';

export default async function SessionsPage() {
  const session = await requireUser();
  const request = await pageRequest();
  const locale = await pageLocale();
  const say = sayIn(locale);
  const text = textIn(locale);
  const notice = await readFlash(request, sessionsPage);
  const sessions = (await listSessionsOf(session.user.id, new Date())).map((row) => ({
    id: sessionName(row.hash),
    ...deviceOf(row.userAgent ?? undefined),
    network: row.address && networkOf(row.address),
    sameNetwork: isSameNetwork(row.address, ownAddress(request)),
    lastSeenAt: row.lastSeenAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    brief: row.brief,
    current: row.hash === session.hash,
  }));
  const devices = (await listDevices(request, session.user, new Date())).map((row) => ({
    id: row.id,
    ...deviceOf(row.userAgent ?? undefined),
    lastUsedAt: row.lastUsedAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    current: row.current,
  }));
  return (
    <AccountFrame
      locale={locale}
      at={sessionsPage}
      lead={text('sessions.lead')}
      role={session.user.role}
      done={say(notice?.done)}
    >
      <SessionsView locale={locale} csrf={csrfOfRequest(request)} sessions={sessions} />
      {devices.length > 0 && (
        <RememberedView locale={locale} csrf={csrfOfRequest(request)} devices={devices} />
      )}
    </AccountFrame>
  );
}
