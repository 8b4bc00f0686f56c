import type { PageRequest } from '../http/message.ts';
import type { OwnAddress } from '../http/own-address.ts';
import { PageRefusal } from '../oauth/errors.ts';
import { browserOf, csrfOf } from '../sealed/browser.ts';
import { type Flow, isExpired, readBoundFlow } from './pending-request.ts';
import { type CheckedRequest, checkRequest, type readVisit } from './visit.ts';

/** The page cannot be shown; the browser is sent on to an address that says why. */
export type Elsewhere = { elsewhere: OwnAddress };

/** The flow of a page, or where to go when it is none of this browser's or has expired. */
export async function flowOf(
  request: PageRequest,
  sealed: string,
  now: Date,
): Promise<Flow | Elsewhere> {
  try {
    const flow = await readBoundFlow(sealed, request);
    return isExpired(flow, now) ? { elsewhere: `/expired?flow=${sealed}` } : flow;
  } catch (error) {
    // The endpoint refuses it again, with the status that a page cannot give.
    if (error instanceof PageRefusal) return { elsewhere: continueAt(sealed) };
    throw error;
  }
}

/** The request of a flow, checked again, or where its refusal is told. */
export async function recheck(
  flow: Flow,
  visit: Awaited<ReturnType<typeof readVisit>>,
  sealed: string | undefined,
  now: Date,
): Promise<CheckedRequest | Elsewhere> {
  try {
    const checked = await checkRequest(flow.params, visit, now);
    return 'refusal' in checked ? { elsewhere: continueAt(sealed) } : checked;
  } catch (error) {
    if (error instanceof PageRefusal) return { elsewhere: continueAt(sealed) };
    throw error;
  }
}

export function continueAt(sealed: string | undefined): OwnAddress {
  return `/oauth/continue?flow=${encodeURIComponent(sealed ?? '')}`;
}

/** The CSRF value for the forms of a page; the proxy has seen to it that the browser has its cookie. */
export function csrfOfRequest(request: PageRequest): string {
  return csrfOf(browserOf(request) ?? '');
}
