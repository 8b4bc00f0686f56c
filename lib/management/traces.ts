import type { Page } from '../store/page.ts';
import {
  findLatestSignIn,
  findTrace,
  findTraceOfRequest,
  listAttempts,
  listTraces as listStored,
  type Trace,
  type TraceFilter,
  type TraceRecord,
  type TraceStep,
} from '../store/trace-list.ts';
import { writeTraces } from '../store/traces.ts';
import { pageOf } from './page.ts';
import { refuseAdmin } from './refusal.ts';

export type { Trace, TraceFilter, TraceRecord, TraceStep };
export { findLatestSignIn, listAttempts };

/** Attempts, the one with the latest request first. @throws AdminRefusal */
export async function listTraces(filter: TraceFilter = {}): Promise<Page<TraceRecord>> {
  await writeTraces();
  return pageOf(listStored, filter);
}

/** An attempt with its requests. @throws AdminRefusal if it is no longer kept */
export async function showTrace(id: string): Promise<Trace> {
  return (await findTrace(id)) ?? refuseAdmin('trace', 'This attempt is no longer kept.');
}

/** As `showTrace`, for somebody who may see one client only. @throws AdminRefusal also for that of another */
export async function showTraceOf(clientId: string, id: string): Promise<Trace> {
  const trace = await showTrace(id);
  return trace.clientId === clientId
    ? trace
    : refuseAdmin('trace', 'This attempt is no longer kept.');
}

/** The id of the attempt a request belongs to, by its `X-Request-Id`, or null. */
export async function traceOfRequest(requestId: string): Promise<string | null> {
  await writeTraces();
  return (await findTraceOfRequest(requestId))?.id ?? null;
}
