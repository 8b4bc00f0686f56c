import type { Client } from './client.ts';
import { isLoopbackHost } from './redirect-uri.ts';

/** Its host, or a private scheme alone: the developer chooses what follows. */
function placeOf(uri: string): string {
  const { protocol, hostname } = new URL(uri);
  return /^https?:$/.test(protocol) ? hostname : protocol;
}

export const hostsOf = (uris: readonly string[]): string[] => [...new Set(uris.map(placeOf))];

const isScheme = (place: string) => place.endsWith(':');
const isBelow = (host: string, domain: string) => host.endsWith(`.${domain}`);

/** Leaves out hosts above another place, because a host shares its domain's fate. */
const deepest = (places: readonly string[]) =>
  places.filter((place) => isScheme(place) || !places.some((other) => isBelow(other, place)));

/**
 * Whether people only return to programs on their own computer: through loopback, or through a
 * scheme that anyone can register.
 */
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
 * How people and admins know a registered client: by all places that its addresses lead to, so that
 * none can hide behind another's name. A scheme can look like a host, so the two are shown
 * differently.
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
 * Why a client cannot register these addresses together; null: it can. A client is known, approved
 * and blocked by the one place they lead to. Programs on a computer may add loopback addresses.
 */
export function placesFault(uris: readonly string[]): string | null {
  const { away } = placesOf(uris);
  if (away.length < 2) return null;
  return `Its addresses lead to more than one place: ${away.join(' and ').slice(0, 300)}. All must lead to one host or a chain of its subdomains (such as example.org, app.example.org), or to one scheme; loopback addresses are also allowed. Register a separate client for each place.`;
}

/**
 * Those of an app's addresses that one place can vouch for, where they lead to more than one: its
 * private scheme, or else its one host, each with loopback. All of them, if neither is the only one
 * of its kind.
 */
export function ofOnePlace(uris: readonly string[]): readonly string[] {
  const { away } = placesOf(uris);
  const [schemes, hosts] = [away.filter(isScheme), away.filter((place) => !isScheme(place))];
  const place = [schemes, hosts].find(({ length }) => length === 1)?.[0];
  if (away.length < 2 || place === undefined) return uris;
  return uris.filter((uri) => placesFault([placeAsUri(place), uri]) === null);
}

const placeAsUri = (place: string) => (isScheme(place) ? `${place}/` : `https://${place}/`);

type Named = Pick<
  Client,
  | 'redirectUris'
  | 'postLogoutRedirectUris'
  | 'backchannelLogoutUri'
  | 'initiateLoginUri'
  | 'jwksUri'
>;

/** Every address of a client to which people or this server's requests are sent. */
export const addressesOf = (client: Named): string[] => [
  ...client.redirectUris,
  ...client.postLogoutRedirectUris,
  ...[client.backchannelLogoutUri, client.initiateLoginUri, client.jwksUri].filter(
    (uri) => uri !== null,
  ),
];

/**
 * Why the addresses of a client with a document can't be used together; null: they can. If people
 * only return to programs on their own computer, its other addresses must be at the document's
 * host.
 */
export function documentPlacesFault(id: string, client: Named): string | null {
  return placesFault([...homeOf({ id, origin: 'document', ...client }), ...addressesOf(client)]);
}

/** Whether an address leads to the place an app is known by, judging by its redirect URIs. */
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
