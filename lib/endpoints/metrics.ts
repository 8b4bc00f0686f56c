import ipaddr from 'ipaddr.js';
import { type BackupState, backupState } from '../backup/schedule.ts';
import { config } from '../config.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { challenge, readBearerToken } from '../oauth/bearer.ts';
import { refuse } from '../oauth/errors.ts';
import { digest, sameDigest } from '../oauth/secrets.ts';
import { isDatabaseAway } from '../store/engine/away.ts';
import { type Gauges, readGauges } from '../store/gauges.ts';
import { type Meter, startMetrics } from '../telemetry/metrics.ts';

const forwarding = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/**
 * The metrics of this process and its fellow workers, in the OpenMetrics format. Given to monitors
 * that have the token, or that ask from this machine. Off until the operator turns them on.
 * @throws OAuthRefusal
 */
export async function serveMetrics(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const meter = await startMetrics();
  const access = config().metrics;
  if (!meter || !access)
    refuse('invalid_request', 'Metrics are off. Set METRICS to turn them on.', undefined, {
      status: 404,
    });
  if (access.token === null) checkIsLocal(request);
  else checkToken(request, access.token);
  await setGauges(meter, now);
  return {
    status: 200,
    headers: { 'content-type': meter.registry.contentType, 'cache-control': 'no-store' },
    body: await meter.tell(),
  };
}

/** A proxy here connects for anyone; its forwarding headers or Host give it away. */
function checkIsLocal(request: HttpRequest): void {
  const near = request.peer !== undefined && ipaddr.process(request.peer).range() === 'loopback';
  const passedOn = forwarding.some((name) => request.header(name) !== undefined);
  if (near && !passedOn && isLoopbackName(request.header('host'))) return;
  refuse(
    'invalid_request',
    'Metrics are served only to this machine, at its loopback address. METRICS=token serves them elsewhere.',
    undefined,
    { status: 403 },
  );
}

function isLoopbackName(host: string | undefined): boolean {
  return /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(:\d{1,5})?$/i.test(host ?? '');
}

function checkToken(request: HttpRequest, token: string): void {
  const sent = readBearerToken(request.header('authorization'), new Map(), new Map(), false);
  if (sameDigest(digest(sent), digest(token))) return;
  refuse('invalid_token', 'This is not the token of METRICS_TOKEN.', undefined, {
    headers: challenge('invalid_token', 'This is not the token for metrics.'),
  });
}

/** If the database is away its figures are left out; the other metrics show that it is away. */
async function setGauges(meter: Meter, now: Date): Promise<void> {
  try {
    meter.setGauges(await readGauges(now));
    meter.setBackupAge(ageOf(await backupState(now), now));
  } catch (error) {
    if (!isDatabaseAway(error)) throw error;
    meter.setGauges(nothing);
  }
}

/** Seconds since the last backup, infinite if there is none; null if none are scheduled. */
function ageOf(state: BackupState, now: Date): number | null {
  if (state.is === 'off') return null;
  if (!state.last) return Number.POSITIVE_INFINITY;
  return Math.max(0, (now.getTime() - state.last.getTime()) / 1000);
}

const nothing: Gauges = { rows: {}, waiting: {} };
