import { config } from '../config.ts';
import { json } from '../http/answers.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { networksOf, ownAddress, type Sender, widestNetwork } from '../http/network.ts';
import type { Client } from '../oauth/client.ts';
import {
  deviceCodeLife,
  deviceInterval,
  newUserCode,
  shownUserCode,
} from '../oauth/device-grant.ts';
import { refuse } from '../oauth/errors.ts';
import { checkGrantType, deviceGrant } from '../oauth/grant-types.ts';
import { noteIgnoredScopes, paramsOf } from '../oauth/ignored.ts';
import { first } from '../oauth/params.ts';
import { askedResources, checkResources, noteIgnored } from '../oauth/resource.ts';
import { checkScope } from '../oauth/scope.ts';
import { digest, newId, newSecret } from '../oauth/secrets.ts';
import { addSeconds } from '../oauth/token-request.ts';
import { tooMany } from '../oauth/too-many.ts';
import { apisAt } from '../store/apis.ts';
import { storeDevice } from '../store/device-authorizations.ts';
import { readRevision } from '../store/engine/revision.ts';
import { scopesAt } from '../store/scopes.ts';
import { settingsAt } from '../store/settings.ts';
import { takeTries } from '../store/throttles.ts';
import { authenticateClient } from './client-authentication.ts';
import { readProgramParams } from './program-params.ts';

/** The maximum number of devices that one address may start in 15 minutes. */
const perAddress = 60;

/** The device authorization endpoint (RFC 8628 section 3.1). @throws OAuthRefusal */
export async function deviceAuthorization(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const params = await readProgramParams(request, () => ({ known: paramsOf.device }));
  const revision = await readRevision();
  const client = await authenticateClient({ params, http: request }, revision, now);
  checkMayAsk(client);
  const settings = await settingsAt(revision);
  const apis = await apisAt(revision);
  const resources = checkResources(askedResources(params, client), client, apis, settings);
  const known = await scopesAt(revision);
  const scope = checkScope(first(params, 'scope'), client, known, resources.apis);
  await limitAddress(request, now);
  const named = resources.apis.map(({ identifier }) => identifier);
  const asked = { scope: scope.join(' '), resources: named.join(' ') };
  const started = await start(client, asked, request, now);
  request.about.notes.push(
    ...noteIgnored(resources),
    ...noteIgnoredScopes(first(params, 'scope'), scope),
  );
  request.about.attempt = started.id;
  request.about.outcome = 'consent';
  return json(200, started.answer);
}

/**
 * Admits only clients that an admin made, because the confirmation page cannot vouch for others.
 * @throws OAuthRefusal
 */
function checkMayAsk(client: Client): void {
  checkGrantType(client, deviceGrant);
  if (client.origin !== 'admin')
    refuse('unauthorized_client', 'Apps that added themselves cannot use device codes.', {
      rule: 'grant-type.not-allowed',
      received: deviceGrant,
    });
}

/** Limits how many devices a network may start. @throws OAuthRefusal */
async function limitAddress(sender: Sender, now: Date): Promise<void> {
  const tried = await takeTries(
    networksOf(sender).map(({ network, share }) => ({
      key: `device:${network}`,
      limit: perAddress * share,
    })),
    now,
  );
  if (!('refusedUntil' in tried)) return;
  const wait = tried.refusedUntil.getTime() - now.getTime();
  throw tooMany('Too many device sign-ins were started from this network.', wait, {
    rule: 'device.too-many',
  });
}

/**
 * Starts a device. Its device code exists only in the answer; the user code is stored in its row.
 */
async function start(
  client: Client,
  asked: { scope: string; resources: string },
  sender: Sender,
  now: Date,
) {
  const [address, network] = [ownAddress(sender), widestNetwork(sender)];
  const [id, deviceCode] = [newId(now), newSecret('deviceCode')];
  const expiresAt = addSeconds(now, deviceCodeLife);
  const kept = { id, hash: digest(deviceCode), clientId: client.id, ...asked };
  // In the rare case that another device has the same code, the next one is used.
  for (const userCode of [newUserCode(), newUserCode(), newUserCode()])
    if (await storeDevice({ ...kept, userCode, address, network, expiresAt }, now))
      return { id, answer: answerOf(deviceCode, userCode) };
  throw new Error('Three new user codes were those of others.');
}

/** The response of RFC 8628 section 3.2. */
function answerOf(deviceCode: string, code: string) {
  const [page, userCode] = [`${config().issuer}/device`, shownUserCode(code)];
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${userCode}`,
    expires_in: deviceCodeLife,
    interval: deviceInterval.initial,
  };
}
