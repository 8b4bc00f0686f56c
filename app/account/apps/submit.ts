import { actorAt } from '#lib/http/actor.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import type { OwnAddress } from '#lib/http/own-address.ts';
import { logouts } from '#lib/identity/back-channel.ts';
import { redirectWithFlash, withUser } from '#lib/interaction/form.ts';
import { first } from '#lib/oauth/params.ts';
import { eventBy } from '#lib/store/actor.ts';
import { audit } from '#lib/store/audit.ts';
import { revokeGrants, withdrawScope } from '#lib/store/withdrawals.ts';

export const appsPage = '/account/apps';

export function appPage(clientId: string): OwnAddress {
  return `${appsPage}/${encodeURIComponent(clientId)}`;
}

/** Removes an app's access, or one scope of it. */
export function submitRemoveApp(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withUser(request, now, appsPage, async ({ user }, fields) => {
    const [clientId, scope] = [first(fields, 'client_id') ?? '', first(fields, 'scope')];
    const withdrawn = await withdraw(user.id, clientId, scope, now);
    if (withdrawn === 'nothing') return redirectWithFlash(appsPage, { done: 'home.removedBefore' });
    const about = { userId: user.id, clientId, detail: scope === undefined ? {} : { scope } };
    await audit(eventBy(actorAt(request, user.id), 'consent.withdrawn', about), now);
    logouts.soon();
    return withdrawn === 'all'
      ? redirectWithFlash(appsPage, { done: 'home.removed' })
      : redirectWithFlash(appPage(clientId), { done: 'home.scopeRemoved' });
  });
}

async function withdraw(userId: string, clientId: string, scope: string | undefined, now: Date) {
  if (clientId === '') return 'nothing';
  if (scope !== undefined) return withdrawScope(userId, clientId, scope, now);
  return (await revokeGrants({ userId, clientId }, now)) > 0 ? 'all' : 'nothing';
}
