import type { Client } from './client.ts';
import { isLoopbackHost } from './redirect-uri.ts';

/**
 * Where an address leads: its host, and of a scheme that belongs to an app the scheme, since what
 * stands behind that is as its maker likes.
 */
function placeOf(uri: string): string {
  const { protocol, hostname } = new URL(uri);
  return /^https?:$/.test(protocol) ? hostname : protocol;
}

/** Where any of these addresses lead. */
export const hostsOf = (uris: readonly string[]): string[] => [...new Set(uris.map(placeOf))];

const isScheme = (place: string) => place.endsWith(':');
const isBelow = (host: string, domain: string) => host.endsWith(`.${domain}`);

/** Those of several places that no other lies below, such as the host that shares its domain's fate. */
const deepest = (places: readonly string[]) =>
  places.filter((place) => isScheme(place) || !places.some((other) => isBelow(other, place)));

/** Whether people go back to programs on their own computer alone: by loopback, or a scheme that anybody can name. */
export const leadToPrograms = (uris: readonly string[]): boolean =>
  hostsOf(uris).every((place) => isScheme(place) || isLoopbackHost(place));

function placesOf(uris: readonly string[]): { away: string[]; here: string[] } {
  const places = hostsOf(uris);
  return {
    away: deepest(places.filter((place) => !isLoopbackHost(place))),
    here: places.filter(isLoopbackHost),
  };
}

/**
 * What people and admins know a registered client by: every place its addresses lead to, so that none
 * stands behind the name of another. A scheme can look like a host, and is never shown as one.
 */
export function hostOf(uris: readonly string[]): string {
  const { away, here } = placesOf(uris);
  const [local] = here;
  const isApp = away.length > 0 && away.every(isScheme);
  return [...away.map(shown), ...(local && !isApp ? [local] : [])].join(', ');
}

const shown = (place: string) =>
  isScheme(place) ? `an app on your device (scheme ${place.slice(0, -1)})` : place;

/**
 * Why a client cannot register these addresses together; null: it can. It is known, approved and
 * blocked by the one place they lead to; programs on a computer may have that as their second way.
 */
export function placesFault(uris: readonly string[]): string | null {
  const { away } = placesOf(uris);
  if (away.length < 2) return null;
  return `Its addresses lead to more than one place: ${away.join(' and ').slice(0, 300)}. All have to lead to one host, one after the other below it, or one scheme; loopback addresses may stand beside it. Register a client for each.`;
}

/** What a client says of where it is. */
type Named = Pick<
  Client,
  | 'redirectUris'
  | 'postLogoutRedirectUris'
  | 'backchannelLogoutUri'
  | 'initiateLoginUri'
  | 'jwksUri'
>;

/** Every address that a client names, and that people or requests of this server are sent to. */
export const addressesOf = (client: Named): string[] => [
  ...client.redirectUris,
  ...client.postLogoutRedirectUris,
  ...[client.backchannelLogoutUri, client.initiateLoginUri, client.jwksUri].filter(
    (uri) => uri !== null,
  ),
];

/**
 * Why the addresses of a client with a document can't be used together; null: they can. If people go
 * back to programs on their own computer alone, its other addresses are at the host of its document.
 */
export function documentPlacesFault(id: string, client: Named): string | null {
  return placesFault([...homeOf({ id, origin: 'document', ...client }), ...addressesOf(client)]);
}

/** Whether an address leads to the place that an app is known by, as far as its redirect URIs say. */
export function leadsHome(
  client: Pick<Client, 'id' | 'origin' | 'redirectUris'>,
  uri: string,
): boolean {
  return placesFault([...homeOf(client), uri]) === null;
}

function homeOf({
  id,
  origin,
  redirectUris,
}: Pick<Client, 'id' | 'origin' | 'redirectUris'>): readonly string[] {
  const isHere = placesOf(redirectUris).away.length === 0;
  return isHere && origin === 'document' ? [id] : redirectUris;
}
