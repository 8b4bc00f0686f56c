import type { IncomingMessage } from 'node:http';
import { config } from '../config.ts';
import { senderOfIncoming } from '../http/node.ts';
import { unsureHeader } from '../http/page-headers.ts';
import { senderHeader, writeSender } from '../http/passed-on.ts';
import { isLoopbackHost } from '../oauth/redirect-uri.ts';

/** The cookies of a request without those that make Next.js show drafts. */
const withoutDrafts = (cookies: string) =>
  cookies
    .split(';')
    .filter((cookie) => !/^\s*__(prerender_bypass|next_preview_data)\s*=/.test(cookie))
    .join(';');

/**
 * Removes what clients must not control: the host and address that Next.js sees, and the headers
 * and cookies that make it show drafts or drop its cache. Their ids can be read in the build by
 * anyone who has it.
 * @param isUnsure whether it is unknown at which address the page was opened
 */
export function prepareForNext(request: IncomingMessage, isUnsure: boolean): void {
  const sender = senderOfIncoming(request);
  const sent = request.headers.host;
  for (const name of Object.keys(request.headers)) {
    if (
      /^(upgrade|http2-settings|forwarded|x-forwarded-.*|x-real-ip|x-middleware-.*|x-prerender-.*|x-next-revalidat.*|x-gatehouse-.*|x-nonce)$/.test(
        name,
      )
    )
      delete request.headers[name];
  }
  if (request.headers.cookie) request.headers.cookie = withoutDrafts(request.headers.cookie);
  if (isUnsure) request.headers[unsureHeader] = '1';
  request.headers[senderHeader] = writeSender(sender);
  const issuer = new URL(config().issuer);
  const sameLoopback =
    isLoopbackHost(issuer.hostname) &&
    sent !== undefined &&
    URL.canParse(`http://${sent}`) &&
    isLoopbackHost(new URL(`http://${sent}`).hostname) &&
    new URL(`http://${sent}`).port === issuer.port;
  request.headers.host = sameLoopback ? sent : issuer.host;
}
