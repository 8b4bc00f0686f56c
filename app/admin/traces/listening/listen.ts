import { json } from '#lib/http/answers.ts';
import { readQueryParams } from '#lib/http/body.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { isOwnOrigin } from '#lib/http/opened-at.ts';
import { isEnding } from '#lib/http/stopping.ts';
import { judgeAccess } from '#lib/identity/guards.ts';
import { readSession } from '#lib/identity/session.ts';
import { languageFor } from '#lib/interaction/language.ts';
import { textIn } from '#lib/messages/text.ts';
import { first } from '#lib/oauth/params.ts';
import { findClient } from '#lib/store/clients.ts';
import { readHeard } from './heard.ts';
import { listenTo } from './listeners.ts';

/** Sends the attempts of an app to a dashboard page as they happen (server-sent events). */
export async function listen(request: HttpRequest, now: Date): Promise<HttpResponse> {
  if (!isAskedHere(request)) return json(403, { error: 'cross_site' });
  const session = await findListener(request, now);
  if (typeof session === 'number') return json(session, { error: 'not_allowed' });
  const client = await findClient(first(readQueryParams(request), 'client') ?? '');
  if (!client) return json(404, { error: 'not_found' });
  const admits = async () => typeof (await findListener(request, new Date())) !== 'number';
  const listener = { session: session.hash, admits };
  const text = textIn(await languageOf(session, request));
  const audience = `${client.id} ${text.locale}`;
  const answer = isEnding() ? null : listenTo(audience, () => readHeard(text, client.id), listener);
  return answer ?? json(503, { error: 'busy' }, { 'retry-after': '30' });
}

/**
 * The language of the listening page. Reading the session again for it would prolong the session.
 */
const languageOf = ({ user }: { user: { id: string } }, request: HttpRequest) =>
  languageFor({
    uiLocales: undefined,
    userId: user.id,
    acceptLanguage: request.header('accept-language'),
  });

/**
 * Whether one of our pages is asking. Browsers without these headers send no cookie from another
 * site.
 */
function isAskedHere(request: HttpRequest): boolean {
  const [site, origin] = [request.header('sec-fetch-site'), request.header('origin')];
  return (site ?? 'same-origin') === 'same-origin' && (origin === undefined || isOwnOrigin(origin));
}

/**
 * The session, if its user may see every app, or else the status of the refusal. Listening is no
 * activity, so it does not prolong the session.
 */
async function findListener(request: HttpRequest, now: Date) {
  const asked = { header: (name: string) => request.header(name), method: 'HEAD' };
  const { session } = await readSession(asked, now);
  const access = judgeAccess(session, 'see-everything', now);
  return 'session' in access ? access.session : access.refused === 'signed-out' ? 401 : 404;
}
