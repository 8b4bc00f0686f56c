import type { OwnAddress } from '../../http/own-address.ts';
import { may, type Role } from '../../people/roles.ts';
import { findTraceOfRequest, type Trace } from '../../store/trace-list.ts';
import { writeTraces } from '../../store/traces.ts';
import { maySeeClient } from '../client/contacts.ts';
import { forOneApp } from './traces.ts';

/** An attempt, reduced to what this user may see, and the address of its page. */
type ShownAttempt = { trace: Trace; page: OwnAddress };

/** Our own request ids only, so that nothing else from an address is looked up. */
const requestId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The id of a request in an address; undefined for anything else. */
export const readRequestId = (text: string | undefined): string | undefined =>
  text !== undefined && requestId.test(text) ? text : undefined;

/**
 * The attempt that a request belongs to, for a signed-in user. 'hidden' if they may not see it. If
 * there is none, users who see every attempt get 'none', and all others get 'hidden' as well.
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
