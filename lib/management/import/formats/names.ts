/** The formats that people can be imported from, by their names in commands. */
export const formats = [
  ...(['csv', 'json', 'keycloak', 'authentik', 'authelia', 'auth0'] as const),
  ...(['wordpress', 'pocket-id', 'firebase', 'ldif'] as const),
] as const;
export type Format = (typeof formats)[number];

/** Their names on screens and everywhere else. */
export const formatNames: Record<Format, string> = {
  csv: 'CSV',
  json: 'JSON',
  keycloak: 'Keycloak',
  authentik: 'authentik, Django',
  authelia: 'Authelia',
  auth0: 'Auth0',
  wordpress: 'WordPress',
  'pocket-id': 'Pocket ID',
  firebase: 'Firebase',
  ldif: 'LDAP (LDIF)',
};
