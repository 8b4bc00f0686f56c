import type { HttpRequest } from '../../http/message.ts';
import { noAccess } from '../../oauth/access.ts';
import { checkClientAuthentication } from '../../oauth/client-auth.ts';
import type { Proof } from '../../oauth/code-grant.ts';
import { asksTooSoon, checkDevice, refuseTooSoon } from '../../oauth/device-grant.ts';
import { OAuthRefusal, refuse } from '../../oauth/errors.ts';
import { checkGrantType, deviceGrant } from '../../oauth/grant-types.ts';
import { first, type Params } from '../../oauth/params.ts';
import { digest } from '../../oauth/secrets.ts';
import { checkSignInGoesOn } from '../../oauth/sign-in-rules.ts';
import { checkTarget } from '../../oauth/token-target.ts';
import { type Authorization, findAuthorization } from '../../store/authorizations.ts';
import {
  type Device,
  findDeviceByHash,
  noteAsking,
  slowDown,
} from '../../store/device-authorizations.ts';
import { readRevision } from '../../store/engine/revision.ts';
import { settingsAt } from '../../store/settings.ts';
import { stronger } from '../../store/trace-rings.ts';
import { readClient } from '../client-authentication.ts';
import type { TokenAnswer } from '../issue-tokens.ts';
import { knownAt } from '../known.ts';
import { burn, endReused, redeem } from './authorization-code.ts';
import type { TokenRequest } from './grant.ts';

/**
 * The device code grant (RFC 8628 section 3.4). Whoever allowed the device stored its authorization,
 * which is redeemed as that of a code is: once, whatever else happens in that instant.
 * @throws OAuthRefusal
 */
export async function deviceCode({ params, http }: TokenRequest, now: Date): Promise<TokenAnswer> {
  const { credentials, named } = await readClient(params, http, await readRevision());
  const proof = checkClientAuthentication(named, credentials);
  checkGrantType(proof.client, deviceGrant);
  const sent =
    first(params, 'device_code') ??
    refuse('invalid_request', 'device_code is missing.', {
      rule: 'device-code.missing',
      expected: ['device_code'],
    });
  const found = await findDeviceByHash(digest(sent));
  http.about.attempt = found?.id ?? null;
  // Anyone can start a device. Whoever decided about it is proved by its code, and the app not yet.
  if (found?.clientId === proof.client.id && found.state !== 'waiting')
    http.about.behind = stronger(http.about.behind, 'person');
  const device = checkDevice(found, proof.client.id, now);
  if (asksTooSoon(device, now) || !(await noteAsking(device, now)))
    refuseTooSoon(await slowDown(device));
  if (device.state === 'waiting')
    refuse('authorization_pending', 'Nobody has allowed the device yet.');
  return fetchTokens(device, proof, params, http, now);
}

async function fetchTokens(
  device: Device,
  proof: Proof,
  params: Params,
  http: HttpRequest,
  now: Date,
): Promise<TokenAnswer> {
  const { revision, authorization } = await findAuthorization(device.id);
  http.about.userId = authorization?.userId ?? null;
  const allowed = await checkAllowed(authorization, proof, http, now);
  const code = { ...allowed, counter: 0, expiresAt: device.expiresAt };
  const [settings, known] = [await settingsAt(revision), await knownAt(revision)];
  const target = checkTarget(params, allowed, allowed.scope, proof.client, known, settings);
  return redeem(code, { ...proof, target }, { settings }, revision, http, now);
}

/**
 * What may have become of an authorization since its user gave it. A second redemption ends its
 * tokens: somebody else may have the code. @throws OAuthRefusal invalid_grant
 */
async function checkAllowed(
  found: Authorization | null,
  { client }: Proof,
  http: HttpRequest,
  now: Date,
): Promise<Authorization> {
  const ended = { rule: 'device-code.ended' } as const;
  if (!found) refuse('invalid_grant', 'The consent behind the device code was withdrawn.', ended);
  const presented = { ...found, counter: 0, expiresAt: now };
  if (found.redeemedAt !== null) {
    await endReused(presented, http, now);
    refuse('invalid_grant', 'The device code was used before.', { rule: 'device-code.used' });
  }
  if (!found.allowed) {
    await burn(presented, http, now);
    throw noAccess('invalid_grant');
  }
  if (found.revokedAt !== null || !found.alive)
    refuse('invalid_grant', 'The user, the client or the consent has ended.', ended);
  try {
    checkSignInGoesOn(client, found, now);
  } catch (error) {
    if (error instanceof OAuthRefusal) await burn(presented, http, now);
    throw error;
  }
  return found;
}
