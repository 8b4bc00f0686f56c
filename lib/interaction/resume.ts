import type { Verdict } from '../access/passage.ts';
import { passageOf } from '../access/visitor.ts';
import { type HttpRequest, nothingKnown, type VisitorRequest } from '../http/message.ts';
import type { OwnAddress } from '../http/own-address.ts';
import { isRefusal } from '../oauth/errors.ts';
import { judgeSignIn } from '../oauth/sign-in-asked.ts';
import type { Session } from '../store/sessions.ts';
import {
  type CheckedRequest,
  checkRequest,
  type RequestContext,
  readContext,
  visitedBy,
} from './context.ts';
import type { Elsewhere } from './page.ts';
import { isExpired, type PendingRequest, readPendingRequest } from './pending-request.ts';
import { refusePushedOver, secondsSince } from './pushed-request.ts';
import { checkTrial } from './trial.ts';

/** A resumed pending request: the browser's session, and the request, checked again. */
export type Resumed = { flow: PendingRequest; visit: RequestContext; checked: CheckedRequest };

/**
 * Resumes a pending request in the browser it is bound to. It is judged as if it had just arrived,
 * including where a refusal is sent.
 * @throws PageRefusal if it is invalid or belongs to another browser; whatever `checkRequest`
 * throws
 */
export async function resume(
  request: VisitorRequest & Pick<HttpRequest, 'about'>,
  sealed: string | undefined,
  now: Date,
): Promise<Resumed | Elsewhere> {
  const flow = await readPendingRequest(sealed, request);
  const isOver = isExpired(flow, now);
  if (isOver && !flow.pushedAt) return { elsewhere: `/expired?flow=${sealed}` };
  request.about.attempt = flow.id;
  // Only the app can ask again.
  if (isOver && flow.pushedAt) refusePushedOver(secondsSince(flow.pushedAt, now));
  const visit = await readContext(request, now);
  visitedBy(visit, request.about);
  checkTrial(flow.triedBy, visit.session);
  const { params, triedBy, pushedAt } = flow;
  const pushed = pushedAt !== null;
  return {
    flow,
    visit,
    checked: await checkRequest({ params, triedBy, pushed }, visit, request.about, now),
  };
}

/** Like `resume`, but for a page. A refusal is left to an endpoint, which can set the status. */
export async function resumeForPage(
  request: VisitorRequest,
  sealed: string,
  now: Date,
): Promise<Resumed | Elsewhere> {
  try {
    const { address, isShared } = request;
    const header = (name: string) => request.header(name);
    return await resume({ header, address, isShared, about: nothingKnown() }, sealed, now);
  } catch (error) {
    if (isRefusal(error)) return { elsewhere: continueAt(sealed) };
    throw error;
  }
}

/** What is asked, without how it was asked. */
export const askedBy = ({ flow, visit, checked }: Resumed) => ({
  id: flow.id,
  client: checked.client,
  visit,
});

/** Judges whether the user of this browser may use the client of their pending request. */
export function judgeVisit({ flow, visit, checked }: Resumed, now: Date): Promise<Verdict> {
  const asked = { ...checked, startedAt: flow.startedAt, chosen: flow.chosen };
  const canBeAsked = !checked.request.prompt.includes('none');
  return passageOf(checked.client, { ...visit, canBeAsked }, (person) =>
    judgeSignIn(asked, person, now),
  );
}

/** The session if it suffices; else where to sign in, or to be told why not. */
export async function sessionFor(
  resumed: Resumed,
  sealed: string | undefined,
  now: Date,
): Promise<Session | Elsewhere> {
  const { session } = resumed.visit;
  const { page } = await judgeVisit(resumed, now);
  if (page === null && session) return session;
  return { elsewhere: page === 'login' ? `/login?flow=${sealed}` : continueAt(sealed) };
}

/** The address where a pending request continues or is refused. */
export function continueAt(sealed: string | undefined): OwnAddress {
  return `/oauth/continue?flow=${encodeURIComponent(sealed ?? '')}`;
}
