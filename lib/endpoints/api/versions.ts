import type { HttpRequest } from '../../http/message.ts';
import { refuseAs } from '../../http/problem.ts';
import { type By, perform } from '../../management/act.ts';
import type { Call, Place } from './find.ts';
import type { AnyAct } from './routes.ts';

/** The entity tag of what an act told: the version that is given back as `seen`. */
export function etagOf(act: AnyAct, told: unknown): string | null {
  const version = act.version?.(told);
  return version === undefined ? null : `"${version}"`;
}

/** The entity tag of what stands at an address now; null: it has none, or is not there. */
export async function currentEtag(place: Place, by: By): Promise<string | null> {
  const show = place.operations.GET;
  if (!show?.version) return null;
  return perform(show, place.params, by).then(
    (told) => etagOf(show, told),
    () => null,
  );
}

/**
 * The version that a change goes by (RFC 9110 section 13.1.1): the statement judges it. Of several tags
 * it is that of what is there. Undefined: whatever is there is changed. @throws Problem
 */
export async function readIfMatch(
  call: Call,
  request: HttpRequest,
  by: By,
): Promise<string | undefined> {
  const header = request.header('if-match');
  if (header === undefined || call.method === 'GET') return undefined;
  if (!call.operations.GET?.version || call.method === 'POST')
    refuseAs(400, 'If-Match means nothing here: what is here has no version.');
  if (header.trim() === '*') return undefined;
  const tags = header.split(',').map((tag) => tag.trim());
  const [only = ''] = tags;
  const current = tags.length === 1 ? only : ((await currentEtag(call, by)) ?? '');
  if (tags.includes(current) && /^"[\w-]{1,100}"$/.test(current)) return current.slice(1, -1);
  return refuseStale(call, by);
}

/** @throws Problem with the tag of what is there now */
async function refuseStale(call: Call, by: By): Promise<never> {
  const etag = await currentEtag(call, by);
  refuseAs(412, 'It was changed meanwhile. Read it, and decide again.', {
    headers: etag === null ? {} : { etag },
  });
}

/** Whether the client has what would be told (RFC 9110 section 13.1.2). */
export function isUnchanged(request: HttpRequest, etag: string): boolean {
  const tags = (request.header('if-none-match') ?? '').split(',').map((tag) => tag.trim());
  return tags.some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);
}
