import type { IncomingMessage } from 'node:http';
import { config } from '../config.ts';
import { senderOfIncoming } from '../http/node.ts';
import { unsureHeader } from '../http/page-headers.ts';
import { senderHeader, writeSender } from '../http/passed-on.ts';
import { isLoopbackHost } from '../oauth/redirect-uri.ts';

/** The cookies of a request without those by which Next.js shows drafts. */
const withoutDrafts = (cookies: string) =>
  cookies
    .split(';')
    .filter((cookie) => !/^\s*__(prerender_bypass|next_preview_data)\s*=/.test(cookie))
    .join(';');

/**
 * Takes out of a request what is not for clients to say: which host or address Next.js sees, and, by ids that
 * everybody can read in its build, that it shows drafts and forgets what it keeps.
 * @param isUnsure whether nobody knows at which address the page was opened
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
