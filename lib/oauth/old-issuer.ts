import type { Client } from './client.ts';
import type { Facts } from './facts.ts';
import { type Wording, wording } from './wording.ts';

/*
 * An app that came with its server (a realm of Keycloak) knows this one by the issuer that it was set
 * up with: the same origin, and a path behind it. Until it is set up anew it hears that issuer
 * everywhere. Which one is decided by what an admin said of the app, never by an address or a header
 * of a request.
 */

/** Where Keycloak has its realms, with or without the folder of earlier versions. */
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

/** The issuer that a client knows this server by. @param issuer this server's own */
export function issuerKnownTo({ oldIssuer }: Pick<Client, 'oldIssuer'>, issuer: string): string {
  return oldIssuer === null ? issuer : issuer + oldIssuer;
}

/** Whether this server signs in the name of an issuer, or did. @param issuer this server's own */
export function isOwnIssuer(said: unknown, issuer: string): boolean {
  if (said === issuer) return true;
  return (
    typeof said === 'string' && said.startsWith(issuer) && form.test(said.slice(issuer.length))
  );
}

/**
 * The client as somebody finds it who asks at the addresses of an old issuer: those of a realm are
 * there for its own apps alone.
 */
export function atIssuer<C extends Pick<Client, 'oldIssuer'>>(
  client: C | null,
  asked: string | undefined,
): C | null {
  return asked === undefined || client?.oldIssuer === asked ? client : null;
}

/**
 * Whether the app that a token was given to is one of another realm than that whose addresses are asked.
 * Two realms that moved here are kept apart there as before; an app that was switched goes on with what
 * it has.
 */
export const isOfOtherRealm = (
  { oldIssuer }: Pick<Client, 'oldIssuer'>,
  asked: string | undefined,
): boolean => asked !== undefined && oldIssuer !== null && oldIssuer !== asked;

/** What an attempt says of a client that is not at the old addresses that it asked at. */
export const elsewhere = (asked: string | undefined): Facts => ({
  rule: 'issuer.elsewhere',
  received: asked,
  expected: ['the addresses of the issuer that the app is set to'],
});

/** Where a realm of Keycloak has what is here, behind the path of its issuer. */
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
