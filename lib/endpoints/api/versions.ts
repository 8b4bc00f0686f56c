import { isDeepStrictEqual } from 'node:util';
import type { HttpRequest } from '../../http/message.ts';
import { refuseAs } from '../../http/problem.ts';
import { type By, perform } from '../../management/act.ts';
import { AdminRefusal, conflictField } from '../../management/refusal.ts';
import { digest } from '../../oauth/secrets.ts';
import { lockChangesOf } from '../../store/seen-changes.ts';
import { placeOfOne } from './addresses.ts';
import type { Call, Place } from './find.ts';

/** RFC 9110 section 8.8.3: it changes if any part of the output does. */
export const tagOf = (told: unknown): string => `"${digest(JSON.stringify(told))}"`;

/** What is at an address now, with its tag; null if it has no versions. */
async function shownAt({ operations, params }: Place, by: By) {
  const show = operations.GET;
  if (!show?.version) return null;
  const told: unknown = await perform(show, params, by);
  return { told, tag: tagOf(told), seen: show.version(told) };
}

/** The same, but also null if nothing is there. */
const shownIfAny = (place: Place, by: By) => shownAt(place, by).catch(() => null);

/**
 * The tag of what is at the address after a call, if that is still what the caller was sent. Null
 * if someone else has changed it since: with the tag, the caller could overwrite a change that they
 * have not seen.
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

/** The current tag has to be one of these; null: unconditional. @throws Problem */
export function readIfMatch(call: Call, request: HttpRequest): readonly string[] | null {
  const header = request.header('if-match');
  if (header === undefined || call.method === 'GET') return null;
  if (!call.operations.GET?.version || call.method === 'POST')
    refuseAs(400, 'If-Match cannot be used here, because this has no version.');
  return header.trim() === '*' ? null : header.split(',').map((tag) => tag.trim());
}

/**
 * Does work only if what is at the address has one of these tags (RFC 9110 section 13.1.1). Runs
 * within a transaction: what is there is read, and nothing changes it until the work is done. Two
 * calls with the same tag run one after the other. A change by someone without a tag is noticed by
 * the statement, which checks the version.
 * @throws Problem 412, AdminRefusal if nothing is there
 */
export async function ifTagMatches<T>(
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

/** Refuses an outdated tag, and sends the current one. @throws Problem always */
function refuseStale(etag?: string): never {
  const headers: Record<Lowercase<string>, string> = etag === undefined ? {} : { etag };
  refuseAs(412, 'It has changed in the meantime. Read it again first.', { headers });
}

/** Whether the client already has the current version (RFC 9110 section 13.1.2). */
export function isUnchanged(request: HttpRequest, etag: string): boolean {
  const tags = (request.header('if-none-match') ?? '').split(',').map((tag) => tag.trim());
  return tags.some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);
}
