import type { PageRequest } from '../http/message.ts';
import type { OwnAddress, OwnPath } from '../http/own-address.ts';
import { first, type Params } from '../oauth/params.ts';
import { readPendingRequest } from './pending-request.ts';

/** Where a sign-in leads: on with an authorization request, or back to a page of ours. */
export type ReturnTo = {
  sealed: string | undefined;
  flowId: string | undefined;
  back: OwnAddress | undefined;
};

/** A sign-in that leads to the account. */
export const toAccount: ReturnTo = { sealed: undefined, flowId: undefined, back: undefined };

/** The way in a form or an address. @throws PageRefusal for a flow that is not this browser's */
export async function readReturnTo(fields: Params, request: PageRequest): Promise<ReturnTo> {
  const sealed = first(fields, 'flow');
  const flow = sealed === undefined ? null : await readPendingRequest(sealed, request);
  return { sealed, flowId: flow?.id, back: safeReturnTo(first(fields, 'back')) };
}

/** A page of the sign-in, on this way. */
export function stepAddress(
  path: OwnPath,
  { sealed, back }: Pick<ReturnTo, 'sealed' | 'back'>,
): OwnAddress {
  if (sealed !== undefined) return `${path}?flow=${sealed}`;
  return back === undefined ? path : signInAt(back, path);
}

/** Where the way ends, once the person is signed in. */
export function continueAddress({ sealed, back }: Pick<ReturnTo, 'sealed' | 'back'>): OwnAddress {
  return sealed === undefined ? (back ?? defaultReturnTo) : `/oauth/continue?flow=${sealed}`;
}

/** Names a page of a flow for its notices. */
export function flashKey(page: string, flowId: string | undefined): string {
  return `${page} ${flowId ?? ''}`;
}

const ownPage = /^\/(admin|account)(\/[\w.~%-]+)*(\?[\w.~%&=+-]*)?$/;

/** However it is spelled, browsers resolve it, and arrive elsewhere. */
const dotSegment = /\/(\.|%2e){1,2}(\/|\?|$)/i;

/** A page of ours that a sign-in may lead back to; undefined for anything else, so that nobody is led astray. */
export function safeReturnTo(text: string | undefined): OwnAddress | undefined {
  return text !== undefined && text.length <= 1000 && ownPage.test(text) && !dotSegment.test(text)
    ? (text as OwnAddress)
    : undefined;
}

/** Where a sign-in leads by itself. */
export const defaultReturnTo = '/account';

/**
 * Where to sign in, when a page asks for it that wants to be shown afterwards.
 * @param page the page of the sign-in that is meant
 */
export function signInAt(back: string | undefined, page: OwnPath = '/login'): OwnAddress {
  const wanted = safeReturnTo(back);
  return wanted && wanted !== defaultReturnTo ? `${page}?back=${encodeURIComponent(wanted)}` : page;
}

/** Names the sign-in page of a flow for its notices. */
export function loginFlashKey(flowId: string | undefined): string {
  return flashKey('login', flowId);
}

/** Names the consent page of a flow for its notices. */
export function consentFlashKey(flowId: string): string {
  return `consent ${flowId}`;
}

/** An address of ours that keeps the pending authorization request. */
export function withPendingRequest(path: OwnPath, sealed: string | undefined): OwnAddress {
  return sealed === undefined ? path : `${path}?flow=${sealed}`;
}
