import { actorAt } from '#lib/http/actor.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import type { OwnAddress } from '#lib/http/own-address.ts';
import { logouts } from '#lib/identity/back-channel.ts';
import { redirectWithFlash, withUser } from '#lib/interaction/form.ts';
import { first } from '#lib/oauth/params.ts';
import { type Actor, eventBy } from '#lib/store/actor.ts';
import { endAppPasswords } from '#lib/store/app-passwords.ts';
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
    const actor = actorAt(request, user.id);
    const withdrawn = await withdraw({ userId: user.id, clientId }, scope, actor, now);
    if (withdrawn === 'nothing') return redirectWithFlash(appsPage, { done: 'home.removedBefore' });
    const about = { userId: user.id, clientId, detail: scope === undefined ? {} : { scope } };
    await audit(eventBy(actor, 'consent.withdrawn', about), now);
    logouts.soon();
    return withdrawn === 'all'
      ? redirectWithFlash(appsPage, { done: 'home.removed' })
      : redirectWithFlash(appPage(clientId), { done: 'home.scopeRemoved' });
  });
}

type Whose = { userId: string; clientId: string };

async function withdraw(whose: Whose, scope: string | undefined, actor: Actor, now: Date) {
  const { userId, clientId } = whose;
  if (clientId === '') return 'nothing';
  if (scope !== undefined) return withdrawScope(userId, clientId, scope, now);
  const ended = await endAppPasswords(whose, actor, now);
  return (await revokeGrants(whose, now)) + ended > 0 ? 'all' : 'nothing';
}
