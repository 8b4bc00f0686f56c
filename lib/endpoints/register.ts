import { json } from '../http/answers.ts';
import { readJsonObject } from '../http/body.ts';
import { limitRequests } from '../http/failed-requests.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { type Registration, registerClient } from '../introduced/registration.ts';
import { log } from '../log.ts';
import { challenge, readBearerToken } from '../oauth/bearer.ts';
import { refuse } from '../oauth/errors.ts';
import { seconds } from '../oauth/id-token.ts';
import { digest } from '../oauth/secrets.ts';
import { isRegistrationToken } from '../store/registration-tokens.ts';
import { readSettings } from '../store/settings.ts';
import { touchLastUse } from '../store/usage.ts';
import { checkNothingInQuery } from './client-authentication.ts';

/** Bytes of metadata. */
export const mostMetadata = 16 * 1024;
/** From one address in 15 minutes: an app registers once, but many people may share an address. */
const perAddress = 60;

/**
 * The client registration endpoint (RFC 7591 section 3): any app that may introduce itself gets a
 * client_id. Nothing is stored before somebody consents to it.
 * @throws OAuthRefusal
 */
export async function register(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const { clientRegistration } = await readSettings();
  if (clientRegistration === 'off') refuseWhileOff();
  await limitRequests('register', perAddress, request, { rule: 'registration.too-many' }, now);
  checkNothingInQuery(request);
  const byToken = await checkToken(request, clientRegistration === 'token', now);
  const given = await readJsonObject(request, 'invalid_client_metadata', mostMetadata);
  const registration = await registerClient(given, byToken, now);
  const { redirect_uris: addresses, client_name: name } = registration.metadata;
  log().info({ requestId: request.id, addresses, name, byToken }, 'client registered');
  return json(201, answerOf(registration));
}

function refuseWhileOff(): never {
  refuse(
    'invalid_request',
    'Clients cannot register themselves here. An admin adds them, or turns dynamic registration on.',
    { rule: 'registration.off' },
    { status: 404 },
  );
}

/**
 * Whether the request carries an initial access token (RFC 7591 section 3). A wrong one is refused
 * even where none is needed.
 * @throws OAuthRefusal
 */
async function checkToken(request: HttpRequest, needed: boolean, now: Date): Promise<boolean> {
  const authorization = request.header('authorization');
  if (authorization === undefined && !needed) return false;
  const hash = digest(readBearerToken(authorization, new Map(), new Map(), false));
  if (!(await isRegistrationToken(hash, now)))
    refuse(
      'invalid_token',
      'This is no registration token, or it has expired or was removed.',
      { rule: 'registration.token', expected: ['a token from Settings › New apps'] },
      { headers: challenge('invalid_token', 'The registration token is unknown or has expired') },
    );
  touchLastUse('registration_tokens', hash, now);
  return true;
}

/** RFC 7591 section 3.2.1 */
function answerOf({ id, secret, registeredAt, metadata }: Registration): Record<string, unknown> {
  return {
    client_id: id,
    client_id_issued_at: seconds(registeredAt),
    ...(secret !== null && { client_secret: secret, client_secret_expires_at: 0 }),
    ...metadata,
  };
}
