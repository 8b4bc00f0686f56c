import type { OwnAddress } from '../../http/own-address.ts';
import { may, type Role } from '../../people/roles.ts';
import { findTraceOfRequest, type Trace } from '../../store/trace-list.ts';
import { writeTraces } from '../../store/traces.ts';
import { maySeeClient } from '../client/contacts.ts';
import { forOneApp } from './traces.ts';

/** An attempt as somebody may see it, and the page with all of it. */
type ShownAttempt = { trace: Trace; page: OwnAddress };

/** The id of a request is one of ours: whatever else an address holds is not looked up. */
const requestId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The id of a request as an address names it; undefined for anything else. */
export const readRequestId = (text: string | undefined): string | undefined =>
  text !== undefined && requestId.test(text) ? text : undefined;

/**
 * The attempt a request belongs to, for somebody signed in: 'hidden' where they may not see it, which
 * is also said to them where there is none; 'none' to those who would see every attempt.
 */
export async function attemptFor(
  user: { id: string; role: Role },
  id: string,
): Promise<ShownAttempt | 'hidden' | 'none'> {
  await writeTraces();
  const trace = await findTraceOfRequest(id);
  const seesAll = may(user.role, 'see-everything');
  if (!trace) return seesAll ? 'none' : 'hidden';
  if (seesAll) return { trace, page: `/admin/traces/${trace.id}` };
  const { clientId } = trace;
  if (clientId === null || !(await maySeeClient(user, clientId))) return 'hidden';
  return {
    trace: forOneApp(trace),
    page: `/account/developer/${encodeURIComponent(clientId)}/${trace.id}`,
  };
}
