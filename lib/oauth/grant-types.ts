import { refuse } from './errors.ts';
import { type Wording, wording } from './wording.ts';

/** The grant type of devices without a browser (RFC 8628 section 3.4). */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/** Assertions from another server (RFC 7523 section 2.1). */
export const jwtBearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Token exchange (RFC 8693 section 2.1). */
export const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';

/**
 * The grant types of this server by their names on the wire. Metadata, the rules for clients, the
 * command line, the dashboard and the error pages read this one list. `lib/endpoints/token.ts` has
 * the handler of each, and does not compile if one is missing.
 */
export const grantTypes = {
  authorization_code: {
    label: 'Authorization code',
    selfRegistered: true,
  },
  refresh_token: {
    label: 'Refresh token',
    selfRegistered: true,
    /** Useless without one of these. */
    comesWith: ['authorization_code', deviceGrant],
  },
  client_credentials: {
    label: 'Client credentials',
    selfRegistered: false,
    needsSecret: true,
  },
  [deviceGrant]: {
    label: 'Device code',
    selfRegistered: false,
  },
  [exchangeGrant]: {
    label: 'Token exchange',
    selfRegistered: false,
    needsSecret: true,
  },
  [jwtBearerGrant]: {
    label: 'Identity assertion (cross-app access)',
    selfRegistered: false,
    needsSecret: true,
  },
} as const satisfies Record<string, GrantTypeRow>;

type GrantTypeRow = {
  label: string;
  /** Whether an app that no admin has added may have it. */
  selfRegistered: boolean;
  comesWith?: readonly [string, string];
  /** Not for public clients. */
  needsSecret?: true;
};

export type GrantType = keyof typeof grantTypes;

export const grantTypeNames = Object.keys(grantTypes) as GrantType[];

export function isGrantType(name: string): name is GrantType {
  return Object.hasOwn(grantTypes, name);
}

/** The grant types of a client that signs people in, by default. */
export const usualGrantTypes: readonly GrantType[] = ['authorization_code', 'refresh_token'];

/** What is wrong with the grant types of a client; null: nothing. */
export function grantTypesFault(
  grants: readonly string[],
  type: 'confidential' | 'public',
): Wording | null {
  const all = grantTypeNames.join(', ');
  const unknown = grants.find((grant) => !isGrantType(grant));
  if (unknown !== undefined)
    return wording('refused.grantType.unknown', 'There is no grant "{name}". Use {all}.', {
      name: unknown.slice(0, 60),
      all,
    });
  if (grants.length === 0)
    return wording('refused.grantType.none', 'Choose at least one grant: {all}.', { all });
  for (const name of grants.filter(isGrantType)) {
    const { comesWith, needsSecret }: GrantTypeRow = grantTypes[name];
    if (comesWith && !comesWith.some((other) => grants.includes(other)))
      return wording('refused.grantType.needs', '{name} needs {others}.', {
        name,
        others: either(comesWith),
      });
    if (needsSecret && type === 'public')
      return wording(
        'refused.grantType.public',
        'Public clients have no secret, so they can’t use {name}.',
        { name },
      );
  }
  return null;
}

/** The label that admins see for a grant type; an unknown one is shown by its name. */
export const grantLabel = (name: string): string =>
  isGrantType(name) ? grantTypes[name].label : name;

const either = ([one, other]: readonly [string, string]) =>
  wording('refused.or', '{one} or {other}', { one, other });

/**
 * Checks that a client may use a grant type (RFC 6749 section 5.2).
 * @throws OAuthRefusal unauthorized_client
 */
export function checkGrantType(client: { grants: readonly string[] }, grantType: GrantType): void {
  if (!client.grants.includes(grantType))
    refuse(
      'unauthorized_client',
      `This client is not allowed to use the grant type ${grantType}.`,
      { rule: 'grant-type.not-allowed', received: grantType, expected: client.grants },
    );
}

/**
 * The same for a grant type that needs a secret or a key.
 * @param what what public clients cannot do, as their developers are told
 * @throws OAuthRefusal unauthorized_client
 */
export function checkConfidentialGrant(
  client: { type: 'confidential' | 'public'; grants: readonly string[] },
  grantType: GrantType,
  what: string,
): void {
  if (client.type === 'public')
    refuse('unauthorized_client', `Public clients cannot ${what}.`, {
      rule: 'client-auth.confidential-only',
    });
  checkGrantType(client, grantType);
}
