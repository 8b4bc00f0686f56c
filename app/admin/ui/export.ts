import { pageRequest } from '#lib/http/next.ts';
import { streamOf } from '#lib/http/stream.ts';
import { judgeAccess } from '#lib/identity/guards.ts';
import { readSession } from '#lib/identity/session.ts';
import { safeReturnTo, signInAt } from '#lib/interaction/return-to.ts';
import { audit } from '#lib/store/audit.ts';
import type { AuditEntry } from '#lib/store/audit-entry.ts';
import type { ExportedList } from '../export/lists.ts';
import { pages } from '../pages.ts';

const types = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' } as const;
const plain = (status: number, text: string) =>
  new Response(text, { status, headers: { 'Cache-Control': 'no-store' } });

type Exported = {
  format: keyof typeof types;
  /** The event for the audit log. */
  event: Pick<AuditEntry, 'type' | 'detail'>;
  pieces: AsyncGenerator<string>;
};

/**
 * Exports the list of a page below /admin as a file, and records that in the audit log. The user
 * must be allowed to see everything, have a fresh sign-in, and come from one of our own pages. With
 * an old sign-in a page asks for the password, and goes on.
 */
export async function exportList(
  request: Request,
  list: ExportedList,
  read: (query: URLSearchParams, now: Date) => Promise<Exported>,
): Promise<Response> {
  const now = new Date();
  const page = await pageRequest();
  const { session } = await readSession(page, now);
  const access = judgeAccess(session, pages[`/admin/${list}/export`].opens, now);
  const { search, searchParams } = new URL(request.url);
  if (!('session' in access)) {
    if (access.refused === 'not-allowed') return plain(404, 'There’s nothing here.');
    const again = `/admin/export?list=${encodeURIComponent(list)}${search.replace('?', '&')}`;
    const location =
      access.refused === 'stale' ? again : signInAt(safeReturnTo(again) ?? `/admin/${list}`);
    return new Response(null, {
      status: 303,
      headers: { Location: location, 'Cache-Control': 'no-store' },
    });
  }
  if (!['same-origin', 'none', null].includes(request.headers.get('sec-fetch-site')))
    return plain(403, 'This request came from another site.');
  const { format, event, pieces } = await read(searchParams, now);
  await audit({ ...event, actor: access.session.user.id, address: page.address }, now);
  return new Response(streamOf(pieces), {
    headers: {
      'Content-Type': types[format],
      'Content-Disposition': `attachment; filename="${list.replace('/', '-')}-${now.toISOString().slice(0, 10)}.${format}"`,
      'Cache-Control': 'no-store',
    },
  });
}

/** Next.js would run GET for HEAD, and the log would report an export no one received. */
export const refuseHead = async (): Promise<Response> =>
  new Response(null, { status: 405, headers: { Allow: 'GET' } });
