import type { OwnAddress, OwnPath } from '../http/own-address.ts';

const ownPage = /^\/(admin|account)(\/[\w.~%-]+)*(\?[\w.~%&=+-]*)?$/;
/** However it is spelled, browsers resolve it, and arrive elsewhere. */
const dotSegment = /\/(\.|%2e){1,2}(\/|\?|$)/i;

/** A page of ours that a sign-in may lead back to; undefined for anything else, so that nobody is led astray. */
export function backOf(text: string | undefined): OwnAddress | undefined {
  return text !== undefined && text.length <= 1000 && ownPage.test(text) && !dotSegment.test(text)
    ? (text as OwnAddress)
    : undefined;
}

/** Where a sign-in leads by itself. */
export const whereSignInLeads = '/account';

/**
 * Where to sign in, when a page asks for it that wants to be shown afterwards.
 * @param page the page of the sign-in that is meant
 */
export function signInAt(back: string | undefined, page: OwnPath = '/login'): OwnAddress {
  const wanted = backOf(back);
  return wanted && wanted !== whereSignInLeads
    ? `${page}?back=${encodeURIComponent(wanted)}`
    : page;
}
