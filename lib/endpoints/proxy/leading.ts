import { config } from '../../config.ts';
import type { HttpResponse } from '../../http/message.ts';
import type { OwnAddress } from '../../http/own-address.ts';
import type { Site } from '../../oauth/site.ts';

/** An address that a browser at a guarded site may be sent to. Only this file makes one. */
type Leading = string & { readonly brand: 'leading' };

const noStore = { 'cache-control': 'no-store' };

/** 303 to this server, or to a path of the site itself. */
export function leadTo(location: Leading, cookies: string[] = []): HttpResponse {
  return {
    status: 303,
    headers: { location, ...noStore, ...(cookies.length > 0 && { 'set-cookie': cookies }) },
  };
}

export const toIssuer = (address: OwnAddress): Leading => `${config().issuer}${address}` as Leading;

/**
 * A destination on a site, whole, so that no path can name another host.
 * @param target a path with its query, which begins with `/`
 */
export const onSite = (site: Site, target: string): Leading =>
  (target.startsWith('/') ? site + target : `${site}/`) as Leading;
