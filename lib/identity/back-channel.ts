import { randomUUID } from 'node:crypto';
import { config } from '../config.ts';
import { postForm } from '../http/outgoing.ts';
import { log } from '../log.ts';
import type { Client } from '../oauth/client.ts';
import { seconds, sidOf } from '../oauth/id-token.ts';
import { clientAt } from '../store/clients.ts';
import {
  type Delivery,
  dropDelivery,
  postponeDelivery,
  takeDeliveries,
} from '../store/logout-deliveries.ts';
import { readRevision } from '../store/revision.ts';
import { sign } from './signing.ts';

const minute = 60_000;
/** Pauses between attempts. After the last one the delivery is dropped. */
const pauses = [minute / 2, 2 * minute, 10 * minute, 60 * minute, 6 * 60 * minute];
/** After this, another process retries a delivery whose process died mid-attempt. */
const takenFor = minute;

/** Notifies clients of ended sessions (OpenID Connect Back-Channel Logout section 2.5). */
export async function deliverLogouts(now: Date): Promise<void> {
  const due = await takeDeliveries(now, new Date(now.getTime() + takenFor));
  await Promise.all(due.map((delivery) => deliver(delivery, now)));
}

async function deliver(delivery: Delivery, now: Date): Promise<void> {
  const revision = await readRevision();
  const client = await clientAt(revision, delivery.clientId);
  if (!client?.backchannelLogoutUri || client.disabled) return dropDelivery(delivery);
  try {
    const token = await logoutToken(delivery, client, revision, now);
    const status = await postForm(client.backchannelLogoutUri, { logout_token: token });
    if (status === 200 || status === 204) return await dropDelivery(delivery);
    throw new Error(`The client answered ${status}.`);
  } catch (error) {
    const pause = pauses[delivery.attempts - 1];
    log().warn(
      { clientId: client.id, attempts: delivery.attempts, reason: (error as Error).message },
      'back-channel logout failed',
    );
    await (pause === undefined
      ? dropDelivery(delivery)
      : postponeDelivery(delivery, new Date(now.getTime() + pause)));
  }
}

/** The logout token of section 2.4. Its `typ` keeps it from being accepted as an ID token. */
function logoutToken(
  delivery: Delivery,
  client: Client,
  revision: number,
  now: Date,
): Promise<string> {
  const claims = {
    iss: config().issuer,
    aud: client.id,
    sub: delivery.userId,
    sid: sidOf(delivery.sessionHash),
    iat: seconds(now),
    exp: seconds(now) + 120,
    jti: randomUUID(),
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  };
  return sign(claims, client.idTokenAlg, 'logout+jwt', revision, now);
}

/** Starts the deliveries a sign-out has just queued. The background jobs retry what fails. */
export function deliverLogoutsSoon(now: Date): void {
  setImmediate(() =>
    deliverLogouts(now).catch((error) => log().warn({ err: error }, 'back-channel logout failed')),
  );
}
