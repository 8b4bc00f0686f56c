import { submitEmailConfirm } from '#app/account/email/confirm/submit.ts';
import { downloadCodes } from '#app/account/security/codes/download.ts';
import { submitSessions } from '#app/account/sessions/submit.ts';
import { submitLogout } from '#app/logout/submit.ts';
import { submitNotMe } from '#app/recover/not-me/submit.ts';
import { submitReset } from '#app/recover/reset/submit.ts';
import { submitFinish } from '#app/register/finish/submit.ts';
import { submitSetup } from '#app/setup/submit.ts';
import { submitSwitch } from '#app/switch/submit.ts';
import { findApiMount, findMalformed } from '#lib/endpoints/api/mount.ts';
import { authorize, authorizeByPost } from '#lib/endpoints/authorize.ts';
import { serveConfigFileSchema } from '#lib/endpoints/config-file-schema.ts';
import { cancelRequest, continueRequest } from '#lib/endpoints/continue.ts';
import { deviceAuthorization } from '#lib/endpoints/device-authorization.ts';
import { healthz, readyz } from '#lib/endpoints/health.ts';
import { introspect } from '#lib/endpoints/introspect.ts';
import { logout } from '#lib/endpoints/logout.ts';
import { jwks, metadata } from '#lib/endpoints/metadata.ts';
import { serveMetrics } from '#lib/endpoints/metrics.ts';
import { atOldIssuer } from '#lib/endpoints/old-address.ts';
import { findProxyMount } from '#lib/endpoints/proxy/mount.ts';
import { pushRequest } from '#lib/endpoints/pushed-request.ts';
import { mostMetadata, readRegistration, register } from '#lib/endpoints/register.ts';
import { revoke } from '#lib/endpoints/revoke.ts';
import { serveSecurityTxt } from '#lib/endpoints/security-txt.ts';
import { token } from '#lib/endpoints/token.ts';
import { refuseUnknown } from '#lib/endpoints/unknown-address.ts';
import { userinfo } from '#lib/endpoints/userinfo.ts';
import { webfinger } from '#lib/endpoints/webfinger.ts';
import { changePassword, servePasskeyEndpoints } from '#lib/endpoints/well-known.ts';
import type { Endpoint, HttpRequest } from '#lib/http/message.ts';
import type { OwnAddress } from '#lib/http/own-address.ts';
import { httpMethods, type Mount } from '#lib/http/serve.ts';
import { readSession } from '#lib/identity/session.ts';
import { languageOfRequest } from '#lib/interaction/language.ts';
import { alikeWhenSentTwice } from '#lib/interaction/sent-twice.ts';
import { maySeeClient } from '#lib/management/client/contacts.ts';
import { pictureLimits } from '#lib/management/pictures.ts';
import { may } from '#lib/people/roles.ts';
import { submitAppPassword, submitAppPasswordEnd } from './account/app-passwords/submit.ts';
import { submitRemoveApp } from './account/apps/submit.ts';
import { submitOrder } from './account/arrange/submit.ts';
import { submitDeletion, submitKeep } from './account/delete/submit.ts';
import { submitEmailCode } from './account/mail/code.ts';
import { submitEmailChange, submitEmailOwn, submitNotices } from './account/mail/submit.ts';
import { submitProfile } from './account/profile/submit.ts';
import { submitOwnFields } from './account/profile/submit-fields.ts';
import { submitPicture, submitRemovePicture } from './account/profile/submit-picture.ts';
import { submitCodesKept, submitNewCodes } from './account/security/codes/submit.ts';
import {
  submitConfirmation,
  submitPasskey,
  submitRemoveFactor,
  submitRenamePasskey,
  submitTotp,
  submitUpgrade,
} from './account/security/submit.ts';
import { submitPassword, submitUnlink, submitUsername } from './account/sign-in/submit.ts';
import { submitData } from './account/your-data/submit.ts';
import { submitTrial } from './admin/clients/[clientId]/try/submit.ts';
import { listen } from './admin/traces/listening/listen.ts';
import { submitApproval } from './approval/submit.ts';
import { submitConsent } from './consent/submit.ts';
import { submitDevice } from './device/confirm/submit.ts';
import { submitUserCode } from './device/submit.ts';
import { submitCode, submitCodeWanted } from './login/code/submit.ts';
import { submitEnrol } from './login/enrol/submit.ts';
import { submitFactor } from './login/factor/submit.ts';
import { submitLeaving } from './login/leaving/submit.ts';
import { submitLink, submitLinkNot } from './login/link/submit.ts';
import { submitNewAccount } from './login/new/submit.ts';
import { submitNewPassword } from './login/new-password/submit.ts';
import { passkeyOptions, submitPasskeySignIn } from './login/passkey.ts';
import { submitLogin } from './login/submit.ts';
import { submitTerms } from './login/terms/submit.ts';
import { findProviderMount } from './login/with/mount.ts';
import { readOldAddress } from './old-addresses.ts';
import { type EndpointPath, endpointPaths } from './paths.ts';
import { submitRecovery } from './recover/submit.ts';
import { submitRegistrationCode } from './register/code.ts';
import { submitRegistration } from './register/submit.ts';
import { isForPrograms, nearestAddress } from './unknown-address.ts';

/** The table of endpoints, mounted by our own server and by Next.js. */
const table: Record<EndpointPath, Omit<Mount, 'path'>> = {
  '/oauth/authorize': {
    methods: { GET: authorize, POST: authorizeByPost },
    speaks: 'html',
    step: 'authorize',
  },
  '/oauth/continue': { methods: { GET: continueRequest }, speaks: 'html', step: 'authorize' },
  '/oauth/cancel': { methods: { GET: cancelRequest }, speaks: 'html', step: 'sign-in' },
  '/oauth/par': { methods: { POST: pushRequest }, speaks: 'json', step: 'authorize', cors: true },
  '/oauth/token': { methods: { POST: token }, speaks: 'json', step: 'token', cors: true },
  '/oauth/device_authorization': {
    methods: { POST: deviceAuthorization },
    speaks: 'json',
    step: 'device',
    cors: true,
  },
  '/oauth/me': {
    methods: { GET: userinfo, POST: userinfo },
    speaks: 'json',
    step: 'userinfo',
    cors: true,
  },
  '/oauth/revoke': { methods: { POST: revoke }, speaks: 'json', step: 'revoke', cors: true },
  '/oauth/introspect': { methods: { POST: introspect }, speaks: 'json', step: 'introspect' },
  '/oauth/register': {
    methods: { GET: readRegistration, POST: register },
    speaks: 'json',
    step: 'register',
    bodyBytes: mostMetadata,
    cors: true,
  },
  '/oauth/jwks': { methods: { GET: jwks, HEAD: jwks }, speaks: 'json', cors: true },
  '/oauth/logout': { methods: { GET: logout, POST: logout }, speaks: 'html', step: 'sign-out' },
  '/.well-known/oauth-authorization-server': {
    methods: { GET: metadata, HEAD: metadata },
    speaks: 'json',
    cors: true,
  },
  '/.well-known/openid-configuration': {
    methods: { GET: metadata, HEAD: metadata },
    speaks: 'json',
    cors: true,
  },
  '/.well-known/change-password': { methods: { GET: changePassword }, speaks: 'html' },
  '/.well-known/passkey-endpoints': {
    methods: { GET: servePasskeyEndpoints, HEAD: servePasskeyEndpoints },
    speaks: 'json',
    cors: true,
  },
  '/.well-known/security.txt': {
    methods: { GET: serveSecurityTxt, HEAD: serveSecurityTxt },
    speaks: 'json',
    cors: true,
  },
  '/.well-known/webfinger': {
    methods: { GET: webfinger, HEAD: webfinger },
    speaks: 'json',
    cors: true,
  },
  '/login/submit': { methods: { POST: submitLogin }, speaks: 'html', step: 'sign-in' },
  '/login/code/send': { methods: { POST: submitCodeWanted }, speaks: 'html', step: 'sign-in' },
  '/login/code/submit': { methods: { POST: submitCode }, speaks: 'html', step: 'sign-in' },
  '/login/factor/submit': { methods: { POST: submitFactor }, speaks: 'html', step: 'sign-in' },
  '/login/enrol/submit': { methods: { POST: submitEnrol }, speaks: 'html', step: 'sign-in' },
  '/login/new-password/submit': {
    methods: { POST: submitNewPassword },
    speaks: 'html',
    step: 'sign-in',
  },
  '/login/leaving/submit': { methods: { POST: submitLeaving }, speaks: 'html', step: 'sign-in' },
  '/login/terms/submit': { methods: { POST: submitTerms }, speaks: 'html', step: 'consent' },
  '/login/link/submit': { methods: { POST: submitLink }, speaks: 'html' },
  '/login/link/not': { methods: { POST: submitLinkNot }, speaks: 'html' },
  '/login/new/submit': { methods: { POST: submitNewAccount }, speaks: 'html', step: 'sign-in' },
  '/account/providers/remove': { methods: { POST: submitUnlink }, speaks: 'html' },
  '/login/passkey/submit': {
    methods: { POST: submitPasskeySignIn },
    speaks: 'html',
    step: 'sign-in',
  },
  '/passkey/options': { methods: { POST: passkeyOptions }, speaks: 'json' },
  '/consent/submit': { methods: { POST: submitConsent }, speaks: 'html', step: 'consent' },
  '/approval/submit': { methods: { POST: submitApproval }, speaks: 'html' },
  '/switch/submit': { methods: { POST: submitSwitch }, speaks: 'html' },
  '/device/submit': { methods: { POST: submitUserCode }, speaks: 'html', step: 'consent' },
  '/device/confirm/submit': { methods: { POST: submitDevice }, speaks: 'html', step: 'consent' },
  '/logout/submit': { methods: { POST: submitLogout }, speaks: 'html' },
  '/setup/submit': { methods: { POST: submitSetup }, speaks: 'html' },
  '/account/your-data/submit': { methods: { POST: submitData }, speaks: 'html' },
  '/account/delete/submit': { methods: { POST: submitDeletion }, speaks: 'html' },
  '/account/delete/keep': { methods: { POST: submitKeep }, speaks: 'html' },
  '/account/password/submit': { methods: { POST: submitPassword }, speaks: 'html' },
  '/account/apps/submit': { methods: { POST: submitRemoveApp }, speaks: 'html' },
  '/account/arrange/submit': { methods: { POST: submitOrder }, speaks: 'html' },
  '/account/sessions/submit': { methods: { POST: submitSessions }, speaks: 'html' },
  '/account/app-passwords/submit': { methods: { POST: submitAppPassword }, speaks: 'html' },
  '/account/app-passwords/end': { methods: { POST: submitAppPasswordEnd }, speaks: 'html' },
  '/account/profile/submit': { methods: { POST: submitProfile }, speaks: 'html' },
  '/account/fields/submit': { methods: { POST: submitOwnFields }, speaks: 'html' },
  '/account/username/submit': { methods: { POST: submitUsername }, speaks: 'html' },
  '/account/picture/submit': {
    methods: { POST: submitPicture },
    speaks: 'html',
    bodyBytes: pictureLimits.portraitBytes + 65_536,
  },
  '/account/picture/remove/submit': { methods: { POST: submitRemovePicture }, speaks: 'html' },
  '/recover/submit': { methods: { POST: submitRecovery }, speaks: 'html' },
  '/recover/not-me/submit': { methods: { POST: submitNotMe }, speaks: 'html' },
  '/recover/reset/submit': { methods: { POST: submitReset }, speaks: 'html' },
  '/register/submit': { methods: { POST: submitRegistration }, speaks: 'html' },
  '/register/code/submit': { methods: { POST: submitRegistrationCode }, speaks: 'html' },
  '/register/finish/submit': { methods: { POST: submitFinish }, speaks: 'html' },
  '/account/email/submit': { methods: { POST: submitEmailChange }, speaks: 'html' },
  '/account/email/confirm/submit': { methods: { POST: submitEmailConfirm }, speaks: 'html' },
  '/account/email/own/submit': { methods: { POST: submitEmailOwn }, speaks: 'html' },
  '/account/email/code/submit': { methods: { POST: submitEmailCode }, speaks: 'html' },
  '/account/notices/submit': { methods: { POST: submitNotices }, speaks: 'html' },
  '/account/security/confirm/submit': { methods: { POST: submitConfirmation }, speaks: 'html' },
  '/account/security/totp/submit': { methods: { POST: submitTotp }, speaks: 'html' },
  '/account/security/passkey/submit': { methods: { POST: submitPasskey }, speaks: 'html' },
  '/account/security/passkey/upgrade': { methods: { POST: submitUpgrade }, speaks: 'html' },
  '/account/security/rename/submit': { methods: { POST: submitRenamePasskey }, speaks: 'html' },
  '/account/security/remove/submit': { methods: { POST: submitRemoveFactor }, speaks: 'html' },
  '/account/security/codes/submit': { methods: { POST: submitNewCodes }, speaks: 'html' },
  '/account/security/codes/kept': { methods: { POST: submitCodesKept }, speaks: 'html' },
  '/account/security/codes/download': { methods: { GET: downloadCodes }, speaks: 'html' },
  '/admin/listen': { methods: { GET: listen }, speaks: 'json' },
  '/admin/try/submit': { methods: { POST: submitTrial }, speaks: 'html' },
  '/docs/gatehouse.schema.json': {
    methods: { GET: serveConfigFileSchema, HEAD: serveConfigFileSchema },
    speaks: 'json',
    cors: true,
  },
  '/metrics': { methods: { GET: serveMetrics }, speaks: 'json' },
  '/healthz': { methods: { GET: healthz, HEAD: healthz }, speaks: 'json' },
  '/readyz': { methods: { GET: readyz, HEAD: readyz }, speaks: 'json' },
};

const mounts = new Map<string, Mount>(endpointPaths.map((path) => [path, mountAt(path)]));

/** The mount of an endpoint at the address it has for apps that still use an old issuer. */
function mountAtOld({ issuer, path }: { issuer: string; path: EndpointPath }, rawPath: string) {
  const mount = mountAt(path);
  const otherwise = refuseUnknown(rawPath, nearestAddress(rawPath));
  // If no app has this issuer, the request counts as an attempt that the traces can explain.
  const step = mount.step ?? 'address';
  return eachBy({ ...mount, step }, (endpoint) => atOldIssuer(issuer, endpoint, otherwise));
}

/** Its second path is the one a DPoP proof names (RFC 9449 section 4.3). */
function mountAtSecond(mount: Mount, rawPath: string): Mount {
  return eachBy(mount, (endpoint) => (request, now) => {
    request.secondPath = rawPath;
    return endpoint(request, now);
  });
}

/** A copy of the mount in which `change` has replaced each endpoint. */
function eachBy(mount: Mount, change: (endpoint: Endpoint) => Endpoint): Mount {
  const methods = Object.entries(mount.methods).map(([method, endpoint]) => [
    method,
    change(endpoint),
  ]);
  return { ...mount, methods: Object.fromEntries(methods) };
}

function mountAt(path: EndpointPath): Mount {
  const { methods: plain, ...mount } = table[path];
  if (mount.speaks === 'json') return { path, ...mount, methods: plain };
  const { POST } = plain;
  const isForm = POST !== undefined && !path.startsWith('/oauth/');
  const methods = isForm ? { ...plain, POST: alikeWhenSentTwice(POST) } : plain;
  return { path, ...mount, methods, languageOf: languageOfRequest, whyAt: traceAddress };
}

/**
 * The page about a refused request: in the dashboard for people who may see it, in the developer
 * pages for a contact of the app.
 */
async function traceAddress(request: HttpRequest, now: Date): Promise<OwnAddress | undefined> {
  if (request.method === 'HEAD') return undefined;
  const { session } = await readSession(request, now);
  if (!session) return undefined;
  if (may(session.user.role, 'see-everything')) return `/admin/traces?request=${request.id}`;
  const { clientId } = request.about;
  if (clientId === null || !(await maySeeClient(session.user, clientId))) return undefined;
  return `/account/developer/${encodeURIComponent(clientId)}?request=${request.id}`;
}

/** The endpoint that a request line names, however the line spells it. */
export type Target = { mount: Mount; query: string };

const secondForms: Record<string, string> = {
  token: '/oauth/token',
  authorize: '/oauth/authorize',
  me: '/oauth/me',
};

/**
 * Finds the mount for a raw path and query; null if there is none. Escapes are decoded and leading
 * and trailing slashes ignored, so no spelling of our addresses reaches anything else. The second
 * path form of the interface (`/oauth?=token`, `/?oauth=token`) names its endpoint in a parameter,
 * which is removed.
 */
export function findTarget(rawPath: string, query: string): Target | null {
  const plain = mounts.get(rawPath) ?? findProxyMount(rawPath);
  if (plain) return { mount: plain, query };
  const path = plainPath(rawPath);
  const mount = mounts.get(path);
  if (mount) return { mount, query };
  const atProvider = findProviderMount(path);
  if (atProvider)
    return { mount: { ...atProvider, languageOf: languageOfRequest, whyAt: traceAddress }, query };
  const old = readOldAddress(rawPath);
  if (old) return { mount: mountAtOld(old, rawPath), query };
  const api = findApiMount(rawPath);
  if (api) return { mount: api, query };
  if (path !== '/oauth' && path !== '/') return null;
  const pairs = query.split('&');
  const name =
    path === '/oauth' ? /^(?:oauth)?=(token|authorize|me)$/ : /^oauth=(token|authorize|me)$/;
  const at = pairs.findIndex((pair) => name.test(pair));
  const form = name.exec(pairs[at] ?? '')?.[1];
  const named = form && mounts.get(secondForms[form] ?? '');
  if (!named) return null;
  const rest = pairs.filter((_, index) => index !== at).join('&');
  return { mount: mountAtSecond(named, rawPath), query: rest };
}

/** The answer to a program whose request target is not a path. */
export function findMalformedTarget(target: string): Target | null {
  const mount = findMalformed(target);
  return mount && { mount, query: '' };
}

/** The answer at an address where nothing is, if only a program can have asked for it. */
export function findMissed(rawPath: string): Target | null {
  return isForPrograms(rawPath) ? missedAt(rawPath) : null;
}

/**
 * The answer to a program at an address where nothing is. If we can tell which address was meant,
 * the request counts as an attempt.
 */
export function missedAt(rawPath: string): Target {
  const meant = nearestAddress(rawPath);
  const endpoint = refuseUnknown(rawPath, meant);
  const methods = Object.fromEntries(
    httpMethods.flatMap((method) => (method === 'OPTIONS' ? [] : [[method, endpoint]])),
  );
  const mount: Mount = { path: '/oauth/*', methods, speaks: 'either', cors: true };
  return { mount: meant ? { ...mount, step: 'address' } : mount, query: '' };
}

function plainPath(rawPath: string): string {
  try {
    const decoded = rawPath.includes('%') ? decodeURIComponent(rawPath) : rawPath;
    return `/${withoutSlashes(decoded)}`;
  } catch {
    return rawPath;
  }
}

/** Written as loops because a regular expression anchored at the end would retry at each slash. */
function withoutSlashes(path: string): string {
  let [start, end] = [0, path.length];
  while (path[start] === '/') start += 1;
  while (end > start && path[end - 1] === '/') end -= 1;
  return path.slice(start, end);
}
