import { json } from '../http/answers.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { isStopping } from '../http/stopping.ts';
import { findTrouble } from '../store/readiness.ts';

/** Liveness: the process runs. */
export async function healthz(): Promise<HttpResponse> {
  return json(200, { status: 'ok' });
}

/** Readiness: the process is not stopping, and the database can be read and written. */
export async function readyz(_request: HttpRequest): Promise<HttpResponse> {
  if (isStopping()) return json(503, { status: 'unavailable', reason: 'The server is stopping.' });
  const reason = await findTrouble();
  return reason === null
    ? json(200, { status: 'ok' })
    : json(503, { status: 'unavailable', reason });
}
