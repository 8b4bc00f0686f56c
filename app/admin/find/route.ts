import { pageRequest } from '#lib/http/next.ts';
import { judgeAccess } from '#lib/identity/guards.ts';
import { readSession } from '#lib/identity/session.ts';
import { pageText } from '../../locale.ts';
import { pageZone } from '../../zone.ts';
import { pages } from '../pages.ts';
import { findLines, longestSearch, offeredLines } from '../search/lines.ts';

const json = (status: number, value: unknown) =>
  Response.json(value, { status, headers: { 'Cache-Control': 'no-store' } });

/**
 * What the dashboard's palette lists for a text or, without one, the places to go. Only for our own
 * pages.
 */
export async function GET(request: Request): Promise<Response> {
  const now = new Date();
  if (!['same-origin', null].includes(request.headers.get('sec-fetch-site')))
    return json(403, { error: 'cross_site' });
  const { session } = await readSession(await pageRequest(), now);
  const access = judgeAccess(session, pages['/admin/find'].opens, now);
  if (!('session' in access))
    return json(access.refused === 'signed-out' ? 401 : 404, { error: 'not_allowed' });
  const { role } = access.session.user;
  const text = await pageText();
  const asked = new URL(request.url).searchParams.get('q') ?? '';
  const q = asked.trim().slice(0, longestSearch);
  const groups = q ? await findLines(q, role, text, await pageZone()) : offeredLines(role, text);
  const count = groups.reduce((sum, { lines }) => sum + lines.length, 0);
  return json(200, { groups, said: text('search.found', { count }) });
}
