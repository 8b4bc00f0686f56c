import { files } from './files.ts';

/*
 * Clients and people of a realm in the form of Keycloak's export: its `ClientRepresentation`, as
 * `kc.sh export` writes it. The names of fields and attributes are from its source.
 */

const usualScopes = {
  defaultClientScopes: ['web-origins', 'acr', 'roles', 'profile', 'basic', 'email'],
  optionalClientScopes: ['address', 'phone', 'offline_access', 'organization', 'microprofile-jwt'],
};

export const strongSecret = 'vJ2mQ8sT5xZ1bN7cR4dF6gH9kL3pW0yA';

/** A confidential client with which people sign in. */
export const webApp = (clientId: string, more: object = {}) => ({
  clientId,
  id: 'b9a1',
  name: `App ${clientId}`,
  enabled: true,
  surrogateAuthRequired: false,
  rootUrl: '',
  adminUrl: '',
  baseUrl: '',
  clientAuthenticatorType: 'client-secret',
  secret: `${clientId}-${strongSecret}`,
  redirectUris: [`https://${clientId}.example.org/callback`],
  webOrigins: ['+'],
  bearerOnly: false,
  consentRequired: false,
  standardFlowEnabled: true,
  publicClient: false,
  implicitFlowEnabled: false,
  directAccessGrantsEnabled: false,
  notBefore: 0,
  serviceAccountsEnabled: false,
  frontchannelLogout: false,
  protocol: 'openid-connect',
  attributes: { 'post.logout.redirect.uris': '+' },
  authenticationFlowBindingOverrides: {},
  fullScopeAllowed: true,
  ...usualScopes,
  ...more,
});

export const singlePage = (clientId: string, more: object = {}) => {
  const { secret: _, ...rest } = webApp(clientId, {
    publicClient: true,
    attributes: { 'pkce.code.challenge.method': 'S256' },
  });
  return { ...rest, ...more };
};

/** The clients that every realm has for Keycloak itself. */
const ownClients = [
  'account',
  'account-console',
  'admin-cli',
  'broker',
  'realm-management',
  'security-admin-console',
].map((id) => webApp(id, { name: `\${client_${id}}`, redirectUris: [`/realms/acme/${id}/*`] }));

/** A realm with these clients. */
export const realmOf = (clients: object[], more: object = {}) =>
  JSON.stringify({
    id: 'acme',
    realm: 'acme',
    enabled: true,
    accessTokenLifespan: 300,
    ssoSessionIdleTimeout: 1800,
    ssoSessionMaxLifespan: 36_000,
    clients: [...ownClients, ...clients],
    ...more,
  });

/**
 * This many people of a realm: some disabled, some with a password to change, all in one or two
 * groups.
 */
export const peopleOf = (count: number) => {
  const [ada] = JSON.parse(files.keycloak).users;
  return Array.from({ length: count }, (_, at) => ({
    ...ada,
    id: `${String(at).padStart(8, '0')}-43c6-4d2b-9d3a-8f1e2c3b4a5d`,
    username: `person${at}.of.acme`,
    email: `person${at}@example.org`,
    emailVerified: at % 2 === 0,
    enabled: at % 3 !== 0,
    lastName: `Lovelace ${at}`,
    requiredActions: at % 5 === 0 ? ['UPDATE_PASSWORD'] : [],
    groups: at % 7 === 0 ? ['/staff', '/staff/board'] : ['/staff'],
  }));
};
