import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { readForm } from '#lib/interaction/form.ts';
import { readPendingRequest } from '#lib/interaction/pending-request.ts';
import { first } from '#lib/oauth/params.ts';

/** "Not you?": signs in another account and keeps the request. */
export async function submitSwitch(request: HttpRequest): Promise<HttpResponse> {
  const sealed = first(await readForm(request), 'flow');
  await readPendingRequest(sealed, request);
  return redirect(`/login?flow=${sealed}`);
}
