import { actorAt } from '#lib/http/actor.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { streamOf } from '#lib/http/stream.ts';
import { redirectWithFlash } from '#lib/interaction/form.ts';
import { withFreshUser } from '#lib/interaction/fresh-form.ts';
import { languageOfPage } from '#lib/interaction/language.ts';
import { ownActivity, ownDataHead, ownDataJson } from '#lib/management/user/own-data.ts';
import { first } from '#lib/oauth/params.ts';
import { eventBy } from '#lib/store/actor.ts';
import { audit } from '#lib/store/audit.ts';
import { minutesUntil, takeTry } from '#lib/store/throttles.ts';
import { ownDataPage } from './readable.ts';

export const dataPage = '/account/your-data';

/** The maximum number of downloads in 15 minutes, because each reads a lot. */
const mostAtOnce = 5;

/** Sends users everything this server has about them, as JSON or as a page. */
export function submitData(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const place = { page: dataPage, keeps: ['format'] } as const;
  return withFreshUser(request, now, place, async ({ user, hash }, fields) => {
    const format = first(fields, 'format') === 'json' ? 'json' : 'html';
    const taken = await takeTry({ key: `own-data:${user.id}`, limit: mostAtOnce }, now);
    if ('refusedUntil' in taken) {
      const wait = minutesUntil(taken.refusedUntil, now);
      return redirectWithFlash(dataPage, { error: 'data.tooOften', wait, values: { format } });
    }
    const about = { userId: user.id, detail: { format } };
    await audit(eventBy(actorAt(request, user.id), 'user.data-taken', about), now);
    const head = await ownDataHead(user, hash, now);
    const activity = ownActivity(user.id, now);
    const pieces =
      format === 'json'
        ? ownDataJson(head, activity)
        : ownDataPage(head, activity, await languageOfPage(dataPage, request, now));
    return fileOf(pieces, format, now);
  });
}

const types = {
  json: 'application/json; charset=utf-8',
  html: 'text/html; charset=utf-8',
} as const;

function fileOf(
  pieces: AsyncGenerator<string>,
  format: keyof typeof types,
  now: Date,
): HttpResponse {
  const headers = {
    'content-type': types[format],
    'content-disposition': `attachment; filename="account-${now.toISOString().slice(0, 10)}.${format}"`,
    'cache-control': 'no-store',
  };
  return { status: 200, headers, stream: streamOf(pieces) };
}
