/** The formats that people can be imported from: their names in commands, and those on screens. */
export const formatNames = {
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
} as const;
export type Format = keyof typeof formatNames;
export const formats = Object.keys(formatNames) as [Format, ...Format[]];
