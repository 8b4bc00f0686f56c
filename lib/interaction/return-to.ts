import type { PageRequest } from '../http/message.ts';
import type { OwnAddress, OwnPath } from '../http/own-address.ts';
import { first, type Params } from '../oauth/params.ts';
import { readPendingRequest } from './pending-request.ts';

/** Where a sign-in leads: to a pending request, or back to one of our pages. */
export type ReturnTo = {
  sealed: string | undefined;
  flowId: string | undefined;
  back: OwnAddress | undefined;
};

export const toAccount: ReturnTo = { sealed: undefined, flowId: undefined, back: undefined };

/** The destination is the set-up steps that follow the first account. */
export const toSetUp: ReturnTo = { ...toAccount, back: '/admin/set-up' };

/**
 * Reads the destination from a form or query.
 * @throws PageRefusal for another browser's pending request
 */
export async function readReturnTo(fields: Params, request: PageRequest): Promise<ReturnTo> {
  const sealed = first(fields, 'flow');
  const flow = sealed === undefined ? null : await readPendingRequest(sealed, request);
  return { sealed, flowId: flow?.id, back: safeReturnTo(first(fields, 'back')) };
}

/** The address of a sign-in step that keeps the destination. */
export function stepAddress(
  path: OwnPath,
  { sealed, back }: Pick<ReturnTo, 'sealed' | 'back'>,
): OwnAddress {
  if (sealed !== undefined) return `${path}?flow=${sealed}`;
  return back === undefined ? path : signInAt(back, path);
}

export function continueAddress({ sealed, back }: Pick<ReturnTo, 'sealed' | 'back'>): OwnAddress {
  return sealed === undefined ? (back ?? defaultReturnTo) : `/oauth/continue?flow=${sealed}`;
}

export function flashKey(page: string, flowId: string | undefined): string {
  return `${page} ${flowId ?? ''}`;
}

const ownPage = /^\/(admin|account|device|docs\/errors)(\/[\w.~%-]+)*(\?[\w.~%&=+-]*)?$/;

/** Browsers resolve dot segments in any spelling, and so would end up elsewhere. */
const dotSegment = /\/(\.|%2e){1,2}(\/|\?|$)/i;

/** Undefined unless it is one of our pages that depend on who is signed in. */
export function safeReturnTo(text: string | undefined): OwnAddress | undefined {
  return text !== undefined && text.length <= 1000 && ownPage.test(text) && !dotSegment.test(text)
    ? (text as OwnAddress)
    : undefined;
}

const defaultReturnTo = '/account';

/**
 * The sign-in address that afterwards returns to a page.
 * @param page the step of the sign-in
 */
export function signInAt(back: string | undefined, page: OwnPath = '/login'): OwnAddress {
  const wanted = safeReturnTo(back);
  return wanted && wanted !== defaultReturnTo ? `${page}?back=${encodeURIComponent(wanted)}` : page;
}

export function loginFlashKey(flowId: string | undefined): string {
  return flashKey('login', flowId);
}

export function consentFlashKey(flowId: string): string {
  return `consent ${flowId}`;
}

export function approvalFlashKey(flowId: string): string {
  return flashKey('approval', flowId);
}

/** The address of one of our pages, with the pending request if there is one. */
export function withPendingRequest(path: OwnPath, sealed: string | undefined): OwnAddress {
  return sealed === undefined ? path : `${path}?flow=${sealed}`;
}
