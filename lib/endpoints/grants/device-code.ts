import { barredFrom } from '../../access/held.ts';
import { checkClientAuthentication } from '../../oauth/client-auth.ts';
import type { Proof } from '../../oauth/code-grant.ts';
import { asksTooSoon, checkDevice, judgeAllowed, refuseTooSoon } from '../../oauth/device-grant.ts';
import { checkProof } from '../../oauth/dpop.ts';
import { refuse } from '../../oauth/errors.ts';
import { checkGrantType, deviceGrant } from '../../oauth/grant-types.ts';
import { first } from '../../oauth/params.ts';
import { noteIgnored } from '../../oauth/resource.ts';
import { digest } from '../../oauth/secrets.ts';
import { checkTarget } from '../../oauth/token-target.ts';
import { findAuthorization } from '../../store/authorizations.ts';
import {
  type Device,
  findDeviceByHash,
  noteAsking,
  slowDown,
} from '../../store/device-authorizations.ts';
import { readRevision } from '../../store/engine/revision.ts';
import { readSettings, settingsAt } from '../../store/settings.ts';
import { provedBy, stronger } from '../../store/trace-rings.ts';
import { readClient } from '../client-authentication.ts';
import type { TokenAnswer } from '../issue-tokens.ts';
import { knownAt } from '../known.ts';
import { challengeBinding, redeem } from './authorization-code.ts';
import type { TokenRequest } from './grant.ts';
import { refuseToken } from './refused.ts';

/**
 * The device code grant (RFC 8628 section 3.4). When the user allowed the device, its authorization
 * was stored. It is redeemed like the authorization of a code: once, whatever else happens at that
 * moment.
 * @throws OAuthRefusal
 */
export async function deviceCode(request: TokenRequest, now: Date): Promise<TokenAnswer> {
  const { params, http } = request;
  const { credentials, named } = await readClient(request, await readRevision(), now);
  const proof = checkClientAuthentication(named, credentials);
  checkGrantType(proof.client, deviceGrant);
  checkProof(request.dpop, proof.client, await readSettings(), credentials.ofTrial);
  const sent =
    first(params, 'device_code') ??
    refuse('invalid_request', 'device_code is missing.', {
      rule: 'device-code.missing',
      expected: ['device_code'],
    });
  const found = await findDeviceByHash(digest(sent));
  http.about.attempt = found?.id ?? null;
  // Anyone can start a device. Its code proves the user who decided about it, but not yet the app.
  if (found?.clientId === proof.client.id && found.state !== 'waiting')
    http.about.behind = stronger(http.about.behind, 'person');
  const device = checkDevice(found, proof.client.id, now);
  if (asksTooSoon(device, now) || !(await noteAsking(device, now)))
    refuseTooSoon(await slowDown(device));
  if (device.state === 'waiting')
    refuse('authorization_pending', 'The user has not allowed the device yet.');
  // If another request was faster, this one is judged again by what that one has left.
  return (
    (await fetchTokens(device, proof, request, now)) ??
    (await fetchTokens(device, proof, request, now)) ??
    refuse('invalid_grant', 'The user, the client or the consent ended during this request.', {
      rule: 'device-code.ended',
    })
  );
}

async function fetchTokens(
  { id }: Device,
  proof: Proof,
  { params, http, dpop: sent }: TokenRequest,
  now: Date,
): Promise<TokenAnswer | null> {
  const { revision, authorization } = await findAuthorization(id);
  http.about.userId = authorization?.userId ?? null;
  const { client } = proof;
  const barred = authorization && (await barredFrom(client, authorization, 'kept', now));
  const verdict = judgeAllowed(authorization, barred);
  if (verdict.does !== 'redeem')
    return refuseToken({ ...verdict, sent: 'code', authorization, barred }, http, now);
  if (!authorization) throw new Error('There is an authorization where one is redeemed.');
  const settings = await settingsAt(revision);
  const dpop = checkProof(sent, client, settings);
  const known = await knownAt(revision);
  const target = checkTarget(
    { params, client, known, settings },
    authorization,
    authorization.scope,
  );
  http.about.behind = provedBy(client);
  http.about.notes.push(...noteIgnored(target));
  const seen = { authorization, target };
  return redeem(
    { ...proof, dpop, id, settings, revision, seen },
    challengeBinding(authorization),
    now,
  );
}
