import { type HttpRequest, nothingKnown, type VisitorRequest } from '../http/message.ts';
import type { OwnAddress } from '../http/own-address.ts';
import { isRefusal } from '../oauth/errors.ts';
import { mustSignInAgain } from '../oauth/next-step.ts';
import type { Session } from '../store/sessions.ts';
import { approvalOf } from './approval.ts';
import {
  type CheckedRequest,
  checkRequest,
  endUserOf,
  type RequestContext,
  readContext,
  refusalOfVisit,
  visitedBy,
} from './context.ts';
import type { Elsewhere } from './page.ts';
import { isExpired, type PendingRequest, readPendingRequest } from './pending-request.ts';
import { checkTrial } from './trial.ts';

/** A resumed pending request: the browser's session, and the request, checked again. */
export type Resumed = { flow: PendingRequest; visit: RequestContext; checked: CheckedRequest };

/**
 * Resumes a pending request in the browser it is bound to. It is judged as if it had just arrived,
 * including where a refusal is sent.
 * @throws PageRefusal if it is invalid or another browser's; what `checkRequest` throws
 */
export async function resume(
  request: VisitorRequest & Pick<HttpRequest, 'about'>,
  sealed: string | undefined,
  now: Date,
): Promise<Resumed | Elsewhere> {
  const flow = await readPendingRequest(sealed, request);
  if (isExpired(flow, now)) return { elsewhere: `/expired?flow=${sealed}` };
  const visit = await readContext(request, now);
  request.about.attempt = flow.id;
  visitedBy(visit, request.about);
  checkTrial(flow.triedBy, visit.session);
  const { params, triedBy } = flow;
  return { flow, visit, checked: await checkRequest(params, visit, request.about, now, triedBy) };
}

/** Like `resume`, for a page: a refusal is left to an endpoint, which can set the status. */
export async function resumeForPage(
  { header, address, isShared }: VisitorRequest,
  sealed: string,
  now: Date,
): Promise<Resumed | Elsewhere> {
  try {
    return await resume({ header, address, isShared, about: nothingKnown() }, sealed, now);
  } catch (error) {
    if (isRefusal(error)) return { elsewhere: continueAt(sealed) };
    throw error;
  }
}

/**
 * The session, if it meets the pending request's demands; else where to sign in, or the page that
 * says that its user may not use the app, not yet, or not from here.
 */
export async function sessionFor(
  { flow, visit, checked }: Resumed,
  sealed: string | undefined,
  now: Date,
): Promise<Session | Elsewhere> {
  const { session } = visit;
  const { client, request } = checked;
  const person = session && (await endUserOf(session, checked));
  if ((person && !person.allowed) || refusalOfVisit(client, visit))
    return { elsewhere: continueAt(sealed) };
  if (person && (await approvalOf(client, visit.settings)) !== 'given')
    return { elsewhere: continueAt(sealed) };
  return session && person && !mustSignInAgain(request, client, person, flow.startedAt, now)
    ? session
    : { elsewhere: `/login?flow=${sealed}` };
}

/** The address where a pending request continues or is refused. */
export function continueAt(sealed: string | undefined): OwnAddress {
  return `/oauth/continue?flow=${encodeURIComponent(sealed ?? '')}`;
}
