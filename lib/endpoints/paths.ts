/** Every address that is answered without Next.js, also where it is mounted as a route handler. */
export const endpointPaths = [
  '/oauth/authorize',
  '/oauth/continue',
  '/oauth/cancel',
  '/oauth/token',
  '/oauth/me',
  '/login/submit',
  '/consent/submit',
  '/switch/submit',
  '/logout/submit',
  '/setup/submit',
  '/account/password/submit',
  '/account/apps/submit',
  '/healthz',
  '/readyz',
] as const;

export type EndpointPath = (typeof endpointPaths)[number];

const paths = new Set<string>([...endpointPaths, '/oauth']);

export function isEndpointPath(path: string): boolean {
  return paths.has(path);
}
