import { config } from '../config.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { inDashboard, offeredLocales } from '../messages/locales.ts';

const day = 86_400_000;
/** Days that a copy is valid. They can be few, because the file is made again for each request. */
const daysGood = 90;

/** Who runs this server can be expected to read these. */
const languagesOfAdmins = offeredLocales.filter((tag) => inDashboard(tag) === tag);

/**
 * Where to report vulnerabilities of this server (RFC 9116); 404 if the operator names no contact.
 */
export async function serveSecurityTxt(_: HttpRequest, now: Date): Promise<HttpResponse> {
  const { securityContact, issuer } = config();
  if (securityContact === null) return text(404, ['This server names no security contact.']);
  const midnight = Math.floor(now.getTime() / day) * day;
  return text(200, [
    `Contact: ${securityContact}`,
    `Expires: ${new Date(midnight + daysGood * day).toISOString()}`,
    `Preferred-Languages: ${languagesOfAdmins.join(', ')}`,
    `Canonical: ${issuer}/.well-known/security.txt`,
  ]);
}

function text(status: number, lines: readonly string[]): HttpResponse {
  return {
    status,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'public, max-age=3600',
    },
    body: `${lines.join('\n')}\n`,
  };
}
