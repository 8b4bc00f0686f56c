import type { PageRequest } from '../http/message.ts';
import type { OwnAddress } from '../http/own-address.ts';
import { csrfIn } from '../sealed/browser.ts';

/** The page can't be shown. Redirect to an address that explains why or must come first. */
export type Elsewhere = { elsewhere: OwnAddress };

/** The CSRF value for a page's forms. The proxy ensures the browser has its cookie. */
export function csrfOfRequest(request: PageRequest): string {
  return csrfIn(request);
}
