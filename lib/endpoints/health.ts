import { json } from '../http/answers.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { readRevision } from '../store/revision.ts';

/** The process runs. */
export async function healthz(): Promise<HttpResponse> {
  return json(200, { status: 'ok' });
}

/** The process can do its work: the database answers. */
export async function readyz(_request: HttpRequest): Promise<HttpResponse> {
  try {
    await readRevision();
    return json(200, { status: 'ok' });
  } catch {
    return json(503, { status: 'unavailable', reason: 'The database does not answer.' });
  }
}
