import { type HttpRequest, nothingKnown } from '../http/message.ts';
import type { OwnAddress } from '../http/own-address.ts';
import { isRefusal } from '../oauth/errors.ts';
import { mustSignInAgain } from '../oauth/next-step.ts';
import type { Session } from '../store/sessions.ts';
import {
  type CheckedRequest,
  checkRequest,
  endUserOf,
  type RequestContext,
  readContext,
} from './context.ts';
import type { Elsewhere } from './page.ts';
import { isExpired, type PendingRequest, readPendingRequest } from './pending-request.ts';

/** A pending authorization request that goes on: who is at the browser, and the request, checked anew. */
export type Resumed = { flow: PendingRequest; visit: RequestContext; checked: CheckedRequest };

/**
 * Takes a pending request up again, for the browser it is bound to. What it asks is judged as if it
 * came now; so is the address that a refusal goes back to.
 * @throws PageRefusal for one that is none, or another browser's; what `checkRequest` throws
 */
export async function resume(
  request: Pick<HttpRequest, 'header' | 'about'>,
  sealed: string | undefined,
  now: Date,
): Promise<Resumed | Elsewhere> {
  const flow = await readPendingRequest(sealed, request);
  if (isExpired(flow, now)) return { elsewhere: `/expired?flow=${sealed}` };
  const visit = await readContext(request, now);
  return { flow, visit, checked: await checkRequest(flow.params, visit, request.about, now) };
}

/** As `resume`, for a page: what is refused is told by an endpoint, with the status that a page cannot give. */
export async function resumeForPage(
  { header }: Pick<HttpRequest, 'header'>,
  sealed: string,
  now: Date,
): Promise<Resumed | Elsewhere> {
  try {
    return await resume({ header, about: nothingKnown() }, sealed, now);
  } catch (error) {
    if (isRefusal(error)) return { elsewhere: continueAt(sealed) };
    throw error;
  }
}

/** The session of a pending request, while it is what the request asks for; else where to sign in. */
export async function sessionFor(
  { flow, visit, checked }: Resumed,
  sealed: string | undefined,
  now: Date,
): Promise<Session | Elsewhere> {
  const { session } = visit;
  const person = session && (await endUserOf(session, checked.request));
  return session && person && !mustSignInAgain(checked.request, person, flow.startedAt, now)
    ? session
    : { elsewhere: `/login?flow=${sealed}` };
}

/** Where a pending request goes on, or is refused. */
export function continueAt(sealed: string | undefined): OwnAddress {
  return `/oauth/continue?flow=${encodeURIComponent(sealed ?? '')}`;
}
