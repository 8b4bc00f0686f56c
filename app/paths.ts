/**
 * The addresses of the protocol and of other interfaces for programs. `npm run docs` writes a
 * `route.ts` in the folder of each, in that of `/oauth`, the second path form of the interface, and
 * one for the whole API.
 */
export const programPaths = [
  '/oauth/authorize',
  '/oauth/continue',
  '/oauth/cancel',
  '/oauth/par',
  '/oauth/token',
  '/oauth/device_authorization',
  '/oauth/me',
  '/oauth/revoke',
  '/oauth/introspect',
  '/oauth/register',
  '/oauth/jwks',
  '/oauth/logout',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  '/.well-known/change-password',
  '/.well-known/passkey-endpoints',
  '/.well-known/security.txt',
  '/.well-known/webfinger',
  '/docs/gatehouse.schema.json',
  '/metrics',
  '/healthz',
  '/readyz',
] as const;

/** Their code is beside the page; `next.config.js` rewrites these addresses to it. */
export const pagePaths = [
  '/login/submit',
  '/login/code/send',
  '/login/code/submit',
  '/login/factor/submit',
  '/login/enrol/submit',
  '/login/new-password/submit',
  '/login/leaving/submit',
  '/login/terms/submit',
  '/login/link/submit',
  '/login/link/not',
  '/login/new/submit',
  '/account/providers/remove',
  '/login/passkey/submit',
  '/passkey/options',
  '/consent/submit',
  '/approval/submit',
  '/switch/submit',
  '/device/submit',
  '/device/confirm/submit',
  '/logout/submit',
  '/setup/submit',
  '/account/your-data/submit',
  '/account/delete/submit',
  '/account/delete/keep',
  '/account/password/submit',
  '/account/apps/submit',
  '/account/arrange/submit',
  '/account/sessions/submit',
  '/account/app-passwords/submit',
  '/account/app-passwords/end',
  '/account/profile/submit',
  '/account/fields/submit',
  '/account/username/submit',
  '/account/picture/submit',
  '/account/picture/remove/submit',
  '/recover/submit',
  '/recover/reset/submit',
  '/recover/not-me/submit',
  '/register/submit',
  '/register/code/submit',
  '/register/finish/submit',
  '/account/email/submit',
  '/account/email/confirm/submit',
  '/account/email/own/submit',
  '/account/email/code/submit',
  '/account/notices/submit',
  '/account/security/confirm/submit',
  '/account/security/totp/submit',
  '/account/security/passkey/submit',
  '/account/security/passkey/upgrade',
  '/account/security/rename/submit',
  '/account/security/remove/submit',
  '/account/security/codes/submit',
  '/account/security/codes/kept',
  '/account/security/codes/download',
  '/admin/listen',
  '/admin/try/submit',
] as const;

/** Every address answered by one of our endpoints rather than by a Next.js page. */
export const endpointPaths = [...programPaths, ...pagePaths] as const;

export type ProgramPath = (typeof programPaths)[number];
export type EndpointPath = (typeof endpointPaths)[number];

const paths = new Set<string>([...endpointPaths, '/oauth']);

export function isEndpointPath(path: string): boolean {
  return paths.has(path);
}
