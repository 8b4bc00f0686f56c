import { notify } from '../../mail/notify.ts';
import { sentence } from '../../messages/sentence.ts';
import { nameForAdmins } from '../../oauth/self-given-name.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import * as store from '../../store/client-requests.ts';
import { refuseAdmin } from '../refusal.ts';

export type { WaitingRequest } from '../../store/client-requests.ts';

/** The apps that wait for an admin, the longest waiting first. */
export function listWaitingApps(): Promise<store.WaitingRequest[]> {
  return store.listWaiting();
}

/** The refused apps, the latest first. */
export function listRefusedApps(): Promise<store.WaitingRequest[]> {
  return store.listRefused();
}

/** What was requested and decided about an app. @throws AdminRefusal */
async function showRequest(clientId: string): Promise<store.ClientRequest> {
  return (
    (await store.findClientRequest(clientId)) ??
    refuseAdmin(
      'client',
      sentence('refused.approval.missing', { id: clientId.slice(0, 80) }),
      'missing',
    )
  );
}

/**
 * Lets people use an app that was requested, and notifies the person who requested it.
 * @throws AdminRefusal
 */
export async function approveApp(
  clientId: string,
  actor: Actor,
  now: Date,
): Promise<store.ClientRequest> {
  const request = await showRequest(clientId);
  if (await decide(request, 'allowed', actor, now))
    await notify(request.userId, 'app-let-in', { app: request.host }, now);
  return { ...request, decision: 'allowed' };
}

/**
 * Keeps out an app that was requested. What the app was given before ends the next time the app
 * uses it, and its access tokens end when they expire at the latest.
 * @throws AdminRefusal
 */
export async function refuseApp(
  clientId: string,
  actor: Actor,
  now: Date,
): Promise<store.ClientRequest> {
  const request = await showRequest(clientId);
  await decide(request, 'refused', actor, now);
  return { ...request, decision: 'refused' };
}

function decide(
  { clientId, userId, ...app }: store.ClientRequest,
  decision: 'allowed' | 'refused',
  actor: Actor,
  now: Date,
): Promise<boolean> {
  const type = decision === 'allowed' ? 'client.approved' : 'client.refused';
  const event = eventBy(actor, type, {
    clientId,
    userId,
    detail: { name: nameForAdmins(app), host: app.host },
  });
  return store.decideClientRequest(clientId, decision, event, now);
}
