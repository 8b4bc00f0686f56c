import { actorAt } from '#lib/http/actor.ts';
import { redirect } from '#lib/http/answers.ts';
import { readFormFields } from '#lib/http/body.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { flashCookie } from '#lib/interaction/flash.ts';
import { continueAt, judgeVisit, resume } from '#lib/interaction/resume.ts';
import { approvalFlashKey } from '#lib/interaction/return-to.ts';
import { tellOfWaitingApps } from '#lib/mail/new-apps.ts';
import { first } from '#lib/oauth/params.ts';
import { nameForAdmins } from '#lib/oauth/self-given-name.ts';
import { checkFormPost } from '#lib/sealed/browser.ts';
import { eventBy } from '#lib/store/actor.ts';
import { storeClientRequest } from '#lib/store/client-requests.ts';

/** Somebody asks the admins for an app that introduced itself. */
export async function submitApproval(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readFormFields(request);
  checkFormPost(request, fields);
  const sealed = first(fields, 'flow');
  const resumed = await resume(request, sealed, now);
  if ('elsewhere' in resumed) return redirect(resumed.elsewhere);
  const { flow, visit, checked } = resumed;
  const { session } = visit;
  const verdict = await judgeVisit(resumed, now);
  if (!session || verdict.page !== 'approval' || verdict.approval !== 'needed')
    return redirect(continueAt(sealed));
  const userId = session.user.id;
  const { id: clientId, host } = checked.client;
  const about = {
    userId,
    clientId,
    detail: { name: nameForAdmins(checked.client), host },
  };
  const event = eventBy(actorAt(request, userId), 'client.requested', about);
  const stored = await storeClientRequest(checked.client, userId, event, now);
  const page = `/approval?flow=${sealed}` as const;
  if (stored === 'full')
    return redirect(page, [
      await flashCookie({ page: approvalFlashKey(flow.id), error: 'approval.full' }),
    ]);
  await tellOfWaitingApps(now);
  return redirect(page);
}
