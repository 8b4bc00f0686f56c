import { randomUUID } from 'node:crypto';
import { config } from '../config.ts';
import { postForm, whyUnreachable } from '../http/outgoing.ts';
import type { Client } from '../oauth/client.ts';
import { epochSeconds, sidOf } from '../oauth/id-token.ts';
import { issuerKnownTo } from '../oauth/old-issuer.ts';
import { subjectOf } from '../oauth/subject.ts';
import { queue } from '../queue.ts';
import { clientAt } from '../store/clients.ts';
import { readRevision } from '../store/engine/revision.ts';
import {
  type Delivery,
  forgetFailedLogouts,
  isSignedInAgain,
  noteFailedLogout,
  waitingDeliveries,
} from '../store/logout-deliveries.ts';
import { sign } from './signing.ts';

/** Sign-outs to tell clients of (OpenID Connect Back-Channel Logout section 2.5). */
export const logouts = queue({
  name: 'a back-channel logout',
  table: waitingDeliveries,
  lease: 60_000,
  attempt: deliver,
  about: ({ clientId }) => ({ clientId }),
});

async function deliver(delivery: Delivery, now: Date): Promise<'done'> {
  const revision = await readRevision();
  const client = await clientAt(revision, delivery.clientId);
  if (!client?.backchannelLogoutUri || client.disabled) return 'done';
  if (await isSignedInAgain(delivery)) return 'done';
  const token = await logoutToken(delivery, client, revision, now);
  const status = await postForm(client.backchannelLogoutUri, {
    logout_token: token,
  }).catch(async (error: unknown) => {
    await noteFailedLogout(delivery, whyUnreachable(error), now);
    throw error;
  });
  if (status !== 200 && status !== 204) {
    await noteFailedLogout(delivery, String(status), now);
    throw new Error(`The client answered ${status}.`);
  }
  await forgetFailedLogouts(client.id);
  return 'done';
}

/** The logout token of section 2.4. Its `typ` keeps it from being accepted as an ID token. */
function logoutToken(
  delivery: Delivery,
  client: Client,
  revision: number,
  now: Date,
): Promise<string> {
  const claims = {
    iss: issuerKnownTo(client, config().issuer),
    aud: client.id,
    sub: subjectOf(client, delivery.userId),
    sid: sidOf(delivery.sessionHash, client),
    iat: epochSeconds(now),
    exp: epochSeconds(now) + 120,
    jti: randomUUID(),
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  };
  return sign(claims, { alg: client.idTokenAlg, typ: 'logout+jwt' }, revision, now);
}
