import type { Client } from './client.ts';
import type { Facts } from './facts.ts';
import { type Wording, wording } from './wording.ts';

/*
 * An app that moved here with its server (a realm of Keycloak) still knows this server by the
 * issuer it was set up with: the same origin, followed by a path. Until it is set up again, every
 * response to it names that issuer. Which issuer that is depends on what an admin entered for the
 * app, never on an address or a header of a request.
 */

/** The path of a Keycloak realm, with or without the folder of earlier versions. */
const form = /^(?:\/auth)?\/realms\/(?!\.{1,2}$)[A-Za-z0-9._-]{1,60}$/;

/** What is wrong with the path of an old issuer; null: nothing. */
export function oldIssuerFault(path: string): Wording | null {
  return form.test(path)
    ? null
    : wording(
        'refused.client.oldIssuer',
        'An old issuer is /realms/NAME or /auth/realms/NAME, with up to 60 letters, digits, dots, hyphens and underscores as NAME.',
      );
}

/** The issuer by which a client knows this server. @param issuer this server's own */
export function issuerKnownTo({ oldIssuer }: Pick<Client, 'oldIssuer'>, issuer: string): string {
  return oldIssuer === null ? issuer : issuer + oldIssuer;
}

/** Whether this server signs, or has signed, under this issuer. @param issuer this server's own */
export function isOwnIssuer(said: unknown, issuer: string): boolean {
  if (said === issuer) return true;
  return (
    typeof said === 'string' && said.startsWith(issuer) && form.test(said.slice(issuer.length))
  );
}

/** A realm's addresses exist only for the realm's own apps. */
export function atIssuer<C extends Pick<Client, 'oldIssuer'>>(
  client: C | null,
  asked: string | undefined,
): C | null {
  return asked === undefined || client?.oldIssuer === asked ? client : null;
}

/**
 * Whether a token's app belongs to another realm than the one at whose addresses the request
 * arrived. Two realms that moved here stay separated there, as before. An app that was switched to
 * this server's own issuer can go on using what it has.
 */
export const isOfOtherRealm = (
  { oldIssuer }: Pick<Client, 'oldIssuer'>,
  asked: string | undefined,
): boolean => asked !== undefined && oldIssuer !== null && oldIssuer !== asked;

/** What the trace notes about a client that is not at the old addresses it used. */
export const elsewhere = (asked: string | undefined): Facts => ({
  rule: 'issuer.elsewhere',
  received: asked,
  expected: ['the addresses of the issuer that the app is set to'],
});

/** The paths of Keycloak's endpoints, behind the path of a realm's issuer, by the path of ours. */
export const oldPaths = {
  '/oauth/authorize': 'auth',
  '/oauth/par': 'ext/par/request',
  '/oauth/token': 'token',
  '/oauth/device_authorization': 'auth/device',
  '/oauth/me': 'userinfo',
  '/oauth/revoke': 'revoke',
  '/oauth/introspect': 'token/introspect',
  '/oauth/logout': 'logout',
  '/oauth/jwks': 'certs',
} as const;
export type OldPath = keyof typeof oldPaths;

/** The address of an endpoint for apps that know this server by another issuer. */
export const atOldAddress = (issuer: string, path: OldPath): string =>
  `${issuer}/protocol/openid-connect/${oldPaths[path]}`;
