import { PageRefusal, type Refusal, trueRefusal } from '../oauth/errors.ts';
import type { Rule } from '../oauth/facts.ts';
import { nameForAdmins } from '../oauth/self-given-name.ts';
import { eventBy } from '../store/actor.ts';
import { auditOnce } from '../store/audit.ts';
import { findClient } from '../store/clients.ts';
import type { TraceStepName } from '../store/traces.ts';
import { countRefusal } from '../store/usage.ts';
import { log } from '../telemetry/log.ts';
import { metrics } from '../telemetry/metrics.ts';
import { actorAt } from './actor.ts';
import type { HttpRequest } from './message.ts';
import { widestNetwork } from './network.ts';
import { keepsRefusal } from './traced.ts';

/**
 * Records a refusal, once and in one place: a log line with the true reason, under the request id
 * that the client also has; a count; and, for failed client authentication, an audit event. Audit
 * events are limited to one a minute per client and network, and stop while the sender is answered
 * 429. None of these contains a query string or a secret.
 * @param mount from our table, so that nothing is logged as it was sent
 */
export async function recordRefusal(
  refusal: Refusal,
  request: Pick<HttpRequest, 'id' | 'method' | 'address' | 'isShared' | 'about'>,
  { path, step }: { path: string; step?: TraceStepName | undefined },
  now: Date,
): Promise<void> {
  const { reason } = refusal;
  const { clientId } = request.about;
  const { asked } = refusal instanceof PageRefusal ? refusal : {};
  const problem = refusal instanceof PageRefusal ? refusal.problem : undefined;
  // The user's own decision, which is already logged.
  if (problem === 'cancelled') return;
  const { code, rule } = whyRefused(refusal);
  const line = {
    requestId: request.id,
    method: request.method,
    path,
    problem,
    // For a client that is not stored yet, this is the only place where its id is written.
    clientId: clientId ?? asked?.client.id ?? null,
    clientName: asked?.client.name ?? (await nameOf(clientId)),
  };
  log().info(
    { ...line, code: refusal.code, rule, reason, redirectUri: addressIn(refusal) },
    'refused',
  );
  metrics()?.refused(code, rule ?? 'other');
  if (keepsRefusal(step, request, refusal)) countRefusal(rule ?? 'other', clientId, now);
  if (refusal.code === 'invalid_client') await auditFailure(clientId, reason, request, now);
}

/** The name of a stored client as admins see it: a request about it has just read it. */
async function nameOf(clientId: string | null): Promise<string | undefined> {
  const client = clientId === null ? null : await findClient(clientId).catch(() => null);
  return client ? nameForAdmins(client) : undefined;
}

/** The rule, and the error code or the problem that the page shows. */
export function whyRefused(refusal: Refusal): { code: string; rule: Rule | undefined } {
  const problem = refusal instanceof PageRefusal ? refusal.problem : undefined;
  return { code: refusal.code ?? problem ?? 'other', rule: trueRefusal(refusal).facts?.rule };
}

/** The refused address without its query, which may hold anything. */
function addressIn(refusal: Refusal): string | undefined {
  const asked = refusal instanceof PageRefusal ? refusal.asked : undefined;
  return asked?.redirectUri?.replace(/[?#].*$/s, '?…').slice(0, 300);
}

async function auditFailure(
  clientId: string | null,
  reason: string,
  request: Pick<HttpRequest, 'id' | 'address' | 'isShared'>,
  now: Date,
): Promise<void> {
  const about = { clientId, detail: { reason } };
  const event = eventBy(actorAt(request, null), 'client-auth.failure', about);
  await auditOnce(`${clientId} ${widestNetwork(request)}`, event, now);
}
