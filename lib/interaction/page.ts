import type { PageRequest } from '../http/message.ts';
import type { OwnAddress } from '../http/own-address.ts';
import { browserOf, csrfOf } from '../sealed/browser.ts';

/** The page cannot be shown; the browser is sent on to an address that says why, or that comes first. */
export type Elsewhere = { elsewhere: OwnAddress };

/** The CSRF value for the forms of a page; the proxy has seen to it that the browser has its cookie. */
export function csrfOfRequest(request: PageRequest): string {
  return csrfOf(browserOf(request) ?? '');
}
