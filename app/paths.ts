/** Every address answered by an endpoint of ours rather than a Next.js page. */
export const endpointPaths = [
  '/oauth/authorize',
  '/oauth/continue',
  '/oauth/cancel',
  '/oauth/token',
  '/oauth/me',
  '/oauth/revoke',
  '/oauth/introspect',
  '/oauth/jwks',
  '/oauth/logout',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  '/.well-known/change-password',
  '/login/submit',
  '/login/factor/submit',
  '/login/enrol/submit',
  '/login/new-password/submit',
  '/login/passkey/submit',
  '/passkey/options',
  '/consent/submit',
  '/switch/submit',
  '/logout/submit',
  '/setup/submit',
  '/account/password/submit',
  '/account/apps/submit',
  '/account/sessions/submit',
  '/account/profile/submit',
  '/account/username/submit',
  '/account/picture/submit',
  '/account/picture/remove/submit',
  '/recover/submit',
  '/recover/reset/submit',
  '/register/submit',
  '/register/finish/submit',
  '/account/email/submit',
  '/account/email/confirm/submit',
  '/account/notices/submit',
  '/account/security/totp/submit',
  '/account/security/passkey/submit',
  '/account/security/rename/submit',
  '/account/security/remove/submit',
  '/account/security/codes/submit',
  '/account/security/codes/kept',
  '/account/security/codes/download',
  '/healthz',
  '/readyz',
] as const;

export type EndpointPath = (typeof endpointPaths)[number];

const paths = new Set<string>([...endpointPaths, '/oauth']);

export function isEndpointPath(path: string): boolean {
  return paths.has(path);
}
