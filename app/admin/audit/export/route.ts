import { pageRequest } from '#lib/http/next.ts';
import { streamOf } from '#lib/http/stream.ts';
import { judgeAccess } from '#lib/identity/guards.ts';
import { readSession } from '#lib/identity/session.ts';
import { safeReturnTo, signInAt } from '#lib/interaction/return-to.ts';
import { exportAudit } from '#lib/management/audit-event/audit-export.ts';
import { audit } from '#lib/store/audit.ts';
import { readAsked } from '../filter.ts';

const types = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' } as const;
const plain = (status: number, text: string) =>
  new Response(text, { status, headers: { 'Cache-Control': 'no-store' } });

/**
 * Exports the audit events of a search. Requires who sees everything, with a fresh sign-in, and only from our
 * own pages.
 */
export async function GET(request: Request): Promise<Response> {
  const now = new Date();
  const page = await pageRequest();
  const { session } = await readSession(page, now);
  const access = judgeAccess(session, 'fresh-see-everything', now);
  if (!('session' in access)) {
    if (access.refused === 'not-allowed') return plain(404, 'There’s nothing here.');
    const searched = safeReturnTo(`/admin/audit${new URL(request.url).search}`);
    return new Response(null, {
      status: 303,
      headers: { Location: signInAt(searched ?? '/admin/audit'), 'Cache-Control': 'no-store' },
    });
  }
  if (!['same-origin', 'none', null].includes(request.headers.get('sec-fetch-site')))
    return plain(403, 'This request came from another site.');
  const query = Object.fromEntries(new URL(request.url).searchParams);
  const format = query.format === 'json' ? 'json' : 'csv';
  const { filter } = await readAsked(query);
  const { id } = access.session.user;
  await audit(
    { type: 'audit.exported', actor: id, address: page.address, detail: { format } },
    now,
  );
  const body = streamOf(exportAudit(filter, format));
  return new Response(body, {
    headers: {
      'Content-Type': types[format],
      'Content-Disposition': `attachment; filename="audit-${now.toISOString().slice(0, 10)}.${format}"`,
      'Cache-Control': 'no-store',
    },
  });
}

/** Next.js would run GET for HEAD, and the log would report an export no one received. */
export async function HEAD(): Promise<Response> {
  return new Response(null, { status: 405, headers: { Allow: 'GET' } });
}
