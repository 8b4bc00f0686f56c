import { isDeepStrictEqual } from 'node:util';
import type { HttpRequest } from '../../http/message.ts';
import { refuseAs } from '../../http/problem.ts';
import { type By, perform } from '../../management/act.ts';
import { AdminRefusal, conflictField } from '../../management/refusal.ts';
import { digest } from '../../oauth/secrets.ts';
import { lockChangesOf } from '../../store/seen-changes.ts';
import { placeOfOne } from './addresses.ts';
import type { Call, Place } from './find.ts';

/** The entity tag of what an act told (RFC 9110 section 8.8.3): it is another one if anything of it is. */
export const tagOf = (told: unknown): string => `"${digest(JSON.stringify(told))}"`;

/** What stands at an address now, where that has versions. */
async function shownAt({ operations, params }: Place, by: By) {
  const show = operations.GET;
  if (!show?.version) return null;
  const told: unknown = await perform(show, params, by);
  return { told, tag: tagOf(told), seen: show.version(told) };
}

/** The same; null, too, where nothing is there. */
const shownIfAny = (place: Place, by: By) => shownAt(place, by).catch(() => null);

/**
 * The tag of what a call has left, if that is what the caller was told: where somebody else has changed
 * it since, nobody who goes by the tag has seen what they would change.
 */
export async function tagAfter(call: Call, told: unknown, by: By): Promise<string | null> {
  const place = placeOfOne(call, told);
  const shown = place && (await shownIfAny(place, by));
  if (!shown) return null;
  const known = told as Record<string, unknown>;
  const there = Object.entries(shown.told as Record<string, unknown>);
  const isAsTold = there.every(
    ([name, value]) => !Object.hasOwn(known, name) || isDeepStrictEqual(known[name], value),
  );
  return isAsTold ? shown.tag : null;
}

/** The tags of which one has to be that of what is there; null: whatever is there is changed. @throws Problem */
export function readIfMatch(call: Call, request: HttpRequest): readonly string[] | null {
  const header = request.header('if-match');
  if (header === undefined || call.method === 'GET') return null;
  if (!call.operations.GET?.version || call.method === 'POST')
    refuseAs(400, 'If-Match means nothing here: what is here has no version.');
  return header.trim() === '*' ? null : header.split(',').map((tag) => tag.trim());
}

/**
 * Does what goes by these tags (RFC 9110 section 13.1.1), within a transaction: what is there is told,
 * and stays as it was told until the work is done. Two who go by one tag come one after the other, and
 * whoever changes the thing without one is noticed by the statement, which judges the version.
 * @throws Problem 412, AdminRefusal if nothing is there
 */
export async function goingBy<T>(
  tags: readonly string[] | null,
  call: Call,
  by: By,
  work: (by: By) => Promise<T>,
): Promise<T> {
  if (tags === null) return work(by);
  await lockChangesOf(JSON.stringify([call.template, call.params]), by.now);
  const shown = await shownAt(call, by);
  if (!shown || !tags.includes(shown.tag)) return refuseStale(shown?.tag);
  return work({ ...by, seen: shown.seen }).catch(async (error: unknown) => {
    if (!(error instanceof AdminRefusal && error.field === conflictField)) throw error;
    return refuseStale((await shownIfAny(call, by))?.tag);
  });
}

/** @throws Problem with the tag of what is there now */
function refuseStale(etag?: string): never {
  const headers: Record<Lowercase<string>, string> = etag === undefined ? {} : { etag };
  refuseAs(412, 'It was changed meanwhile. Read it, and decide again.', { headers });
}

/** Whether the client has what would be told (RFC 9110 section 13.1.2). */
export function isUnchanged(request: HttpRequest, etag: string): boolean {
  const tags = (request.header('if-none-match') ?? '').split(',').map((tag) => tag.trim());
  return tags.some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);
}
