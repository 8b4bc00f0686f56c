/** Where people can come from, as commands say it. */
export const formats = [
  ...(['csv', 'json', 'keycloak', 'authentik', 'authelia', 'auth0'] as const),
  ...(['wordpress', 'pocket-id', 'firebase', 'ldif'] as const),
] as const;
export type Format = (typeof formats)[number];

/** What they are called everywhere. */
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
