import { actorAt } from '#lib/http/actor.ts';
import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { approvalAsked, type RequestDecision } from '#lib/interaction/decision/decision.ts';
import { type Answering, takeDecision } from '#lib/interaction/decision/take.ts';
import { flashCookie } from '#lib/interaction/flash.ts';
import { continueAt, resume } from '#lib/interaction/resume.ts';
import { tellOfWaitingApps } from '#lib/mail/new-apps.ts';
import { first, type Params } from '#lib/oauth/params.ts';
import { nameForAdmins } from '#lib/oauth/self-given-name.ts';
import { eventBy } from '#lib/store/actor.ts';
import { storeClientRequest } from '#lib/store/client-requests.ts';

/** Asks the admins to approve an app that registered itself. */
export function submitApproval(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return takeDecision(request, { read, allow: ask }, now);
}

/** A person who has already asked is sent back to the page that says so. */
async function read(request: HttpRequest, fields: Params, now: Date) {
  const sealed = first(fields, 'flow');
  const resumed = await resume(request, sealed, now);
  if ('elsewhere' in resumed) return resumed;
  const asked = await approvalAsked(resumed, sealed ?? '', now);
  if ('elsewhere' in asked || asked.approval === 'needed') return asked;
  return { elsewhere: continueAt(sealed) };
}

async function ask(
  { client, session, page, flash }: RequestDecision,
  { request }: Answering,
  now: Date,
): Promise<HttpResponse> {
  const userId = session.user.id;
  const detail = { name: nameForAdmins(client), host: client.host };
  const about = { userId, clientId: client.id, detail };
  const event = eventBy(actorAt(request, userId), 'client.requested', about);
  if ((await storeClientRequest(client, userId, event, now)) === 'full')
    return redirect(page, [await flashCookie({ page: flash, error: 'approval.full' })]);
  await tellOfWaitingApps(now);
  return redirect(page);
}
