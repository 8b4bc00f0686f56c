/** Where people can come from, as commands say it. */
export const formats = [
  ...(['csv', 'json', 'keycloak', 'authentik', 'authelia', 'auth0'] as const),
  ...(['wordpress', 'pocket-id', 'firebase', 'ldif'] as const),
] as const;
export type Format = (typeof formats)[number];
