import { config } from '../config.ts';
import { json } from '../http/answers.ts';
import { readJsonObject, readQueryParams } from '../http/body.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { limitRequests } from '../http/request-limits.ts';
import { challenge, readBearerToken } from '../oauth/bearer.ts';
import { type ClientMetadata, readMetadata } from '../oauth/client-metadata.ts';
import { refuse } from '../oauth/errors.ts';
import { epochSeconds } from '../oauth/id-token.ts';
import { first } from '../oauth/params.ts';
import { digest } from '../oauth/secrets.ts';
import {
  isRegistrationAccessToken,
  registrationAccessToken,
} from '../registration/registration-access.ts';
import {
  type Registration,
  registerClient,
  registrationOf,
} from '../registration/self-registration.ts';
import { isRegistrationToken } from '../store/registration-tokens.ts';
import { readSettings } from '../store/settings.ts';
import { touchLastUse } from '../store/usage.ts';
import { log } from '../telemetry/log.ts';
import { checkNotRepeated, ignoreQuery } from './program-params.ts';

/** The maximum number of bytes of metadata. */
export const mostMetadata = 16 * 1024;
/**
 * Limit for one address in 15 minutes. An app registers only once, but many people may share an
 * address.
 */
const perAddress = 60;

/**
 * The client registration endpoint (RFC 7591 section 3): any app that may register itself gets a
 * client_id. Nothing is stored until a user consents to the app.
 * @throws OAuthRefusal
 */
export async function register(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const settings = await readSettings();
  const { clientRegistration } = settings;
  if (clientRegistration === 'off') refuseWhileOff();
  await limitRequests(
    { what: 'register', limit: perAddress },
    request,
    { rule: 'registration.too-many' },
    now,
  );
  ignoreQuery(request);
  const byToken = await checkToken(request, clientRegistration === 'token', now);
  const given = readMetadata(
    await readJsonObject(request, 'invalid_client_metadata', mostMetadata),
  );
  const registration = await registerClient(given, { byToken, settings }, now);
  const { redirect_uris: addresses, client_name: name } = registration.metadata;
  log().info({ requestId: request.id, addresses, name, byToken }, 'client registered');
  return json(201, { ...answerOf(registration), ...scopeOf(given), ...secretOf(registration) });
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
 * Whether the request carries an initial access token (RFC 7591 section 3). A wrong token is
 * refused even if none is needed.
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

/**
 * The client configuration endpoint (RFC 7592 section 2.1), read-only: an app's current
 * registration without its secret. The response does not reveal whether this server has issued an
 * id.
 * @throws OAuthRefusal
 */
export async function readRegistration(request: HttpRequest, now: Date): Promise<HttpResponse> {
  await limitRequests(
    { what: 'register', limit: perAddress },
    request,
    { rule: 'registration.too-many' },
    now,
  );
  const query = readQueryParams(request);
  checkNotRepeated(query);
  const token = readBearerToken(request.header('authorization'), new Map(), query, false);
  const id = first(query, 'client_id') ?? '';
  const found = isRegistrationAccessToken(token, id)
    ? await registrationOf(id, await readSettings(), now)
    : null;
  return json(200, answerOf(found ?? refuseAccess()));
}

function refuseAccess(): never {
  refuse(
    'invalid_token',
    'This is not the registration access token of a client that is registered here.',
    { rule: 'registration.access', expected: ['the registration_access_token of this client_id'] },
    {
      headers: challenge(
        'invalid_token',
        'The registration access token is not valid for this client',
      ),
    },
  );
}

/** The fields common to the responses of RFC 7591 section 3.2.1 and RFC 7592 section 3. */
function answerOf({
  id,
  registeredAt,
  metadata,
}: Pick<Registration, 'id' | 'registeredAt' | 'metadata'>): Record<string, unknown> {
  return {
    client_id: id,
    client_id_issued_at: epochSeconds(registeredAt),
    ...metadata,
    registration_client_uri: `${config().issuer}/oauth/register?client_id=${encodeURIComponent(id)}`,
    registration_access_token: registrationAccessToken(id),
  };
}

/**
 * The scopes as the app named them (RFC 7591 section 3.2.1): some apps ask for nothing else later.
 * They limit nothing, so the id does not hold them.
 */
const scopeOf = ({ scope }: ClientMetadata) =>
  typeof scope === 'string' && scope.trim() !== '' ? { scope } : {};

const secretOf = ({ secret }: Registration) =>
  secret === null ? {} : { client_secret: secret, client_secret_expires_at: 0 };
