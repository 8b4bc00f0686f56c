import type { DeviceDecision } from '../interaction/device-request.ts';
import { notify } from '../mail/notify.ts';
import { nameByProof } from '../oauth/self-given-name.ts';
import { type Actor, eventBy } from '../store/actor.ts';
import { allowDevice as allow } from '../store/device-authorizations.ts';
import { widenGrantOf } from '../store/grants.ts';
import { count } from '../store/usage.ts';
import { currentGrant } from '../store/withdrawals.ts';

/**
 * Lets a device in: its next request gets the tokens. The consent is not remembered, because any
 * program can show a code of this client: every device is asked about.
 * @returns false if the device was already decided on, has expired, or something that it depends on
 * has ended
 */
export async function allowDevice(
  decision: DeviceDecision,
  actor: Actor,
  now: Date,
): Promise<boolean> {
  const { device, client, words: consented } = decision;
  const { user } = decision.session;
  const grant = await currentGrant(user.id, client.id, now);
  const given = { scopes: consented, remembered: [], endsAt: () => null };
  const grantId = await widenGrantOf({ userId: user.id, clientId: client.id }, grant, given, now);
  if (grantId === 'gone') return false;
  const event = eventBy(actor, 'device.allowed', {
    userId: user.id,
    clientId: client.id,
    detail: { scope: consented.join(' '), address: device.address },
  });
  if (!(await allow(authorizationOf(decision, grantId), event, now))) return false;
  count('approval', client.id, now);
  if (!grant) await notify(user.id, 'app-approved', { app: nameByProof(client) }, now);
  return true;
}

/** The authorization that the device redeems instead of a code. */
function authorizationOf(
  { device, client, session, apis, words: consented }: DeviceDecision,
  grantId: string,
) {
  const { user, amr } = session;
  return {
    id: device.id,
    clientId: client.id,
    userId: user.id,
    grantId,
    consented,
    // The device's sign-in ends on its own, not together with this browser's session.
    sessionHash: null,
    scope: device.scope,
    redirectUri: '',
    stateHash: null,
    resources: apis.map(({ identifier }) => identifier),
    codeChallenge: null,
    nonce: null,
    claims: null,
    authTime: session.authTime,
    amr,
    userEpoch: user.epoch,
    clientEpoch: client.epoch,
    codeExpiresAt: device.expiresAt,
  };
}
