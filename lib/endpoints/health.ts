import { backupState } from '../backup/schedule.ts';
import { json } from '../http/answers.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { doPagesFail } from '../http/rendering.ts';
import { isStopping } from '../http/stopping.ts';
import { findTrouble } from '../store/engine/readiness.ts';
import { arrivedAs } from './arrived.ts';

/** Liveness: the process runs. */
export async function healthz(): Promise<HttpResponse> {
  return json(200, { status: 'ok' });
}

/** Readiness: not stopping, the pages load, the database can be read and written. */
export async function readyz(request: HttpRequest, now: Date): Promise<HttpResponse> {
  if (isStopping()) return json(503, { status: 'unavailable', reason: 'The server is stopping.' });
  const reason = doPagesFail() ? 'The pages cannot be loaded.' : await findTrouble();
  return reason === null
    ? json(200, {
        status: 'ok',
        ...(request.query.includes('verbose') && (await details(request, now))),
      })
    : json(503, { status: 'unavailable', reason });
}

/**
 * For `?verbose`: details that do not make a server unready. Given only to a sender who has the
 * server's secret.
 */
async function details(request: HttpRequest, now: Date): Promise<Record<string, unknown>> {
  const arrived = arrivedAs(request, now);
  if (!arrived) return {};
  const backup = await backupState(now);
  return {
    backup:
      backup.is === 'off'
        ? { scheduled: false }
        : { scheduled: true, last: backup.last, late: backup.late },
    arrived,
  };
}
