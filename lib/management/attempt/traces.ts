import { sentence } from '../../messages/sentence.ts';
import type { Sort } from '../../store/engine/listing.ts';
import type { Page } from '../../store/engine/page.ts';
import {
  countRules,
  findLatestSignIn,
  findTrace,
  findTraceOfRequest,
  listAttempts,
  type Trace,
  type TraceFilter,
  type TraceRecord,
  type TraceStep,
  traceList,
} from '../../store/trace-list.ts';
import { type TracedNote, throughs, writeTraces } from '../../store/traces.ts';
import { type NumberedPage, numberedPage, pageOf } from '../page.ts';
import { refuseAdmin } from '../refusal.ts';

export type { Trace, TraceFilter, TraceRecord, TraceStep };
export { findLatestSignIn, listAttempts, throughs };

/** Attempts, the one with the latest request first. @throws AdminRefusal */
export async function listTraces(filter: TraceFilter = {}): Promise<Page<TraceRecord>> {
  await writeTraces();
  return pageOf(traceList, filter);
}

/** A numbered page of attempts, in the order of their latest requests, and how many there are. */
export async function listTracesAt(
  filter: TraceFilter,
  page: number,
  direction: Sort['direction'],
): Promise<NumberedPage<TraceRecord>> {
  await writeTraces();
  return numberedPage(traceList, filter, { page, sort: { by: 'when', direction } });
}

/** Why requests of the attempts that a filter finds were refused, and in how many of them. */
export const countReasons = async (filter: TraceFilter): Promise<ReadonlyMap<string, number>> =>
  new Map((await countRules(filter)).map(({ rule, found }) => [rule, found]));

/** An attempt with its requests. @throws AdminRefusal if it is no longer kept */
export async function showTrace(id: string): Promise<Trace> {
  const trace =
    (await findTrace(id)) ?? refuseAdmin('trace', sentence('refused.attempt.gone'), 'missing');
  return { ...trace, steps: notedOnce(trace.steps) };
}

/** What one request ignored, those that continue it ignore too, so only the first one says so. */
function notedOnce(steps: readonly TraceStep[]): TraceStep[] {
  const said = new Set<string>();
  return steps.map((step) => {
    const notes = step.notes.filter((note) => !said.has(JSON.stringify(note)));
    for (const note of notes) said.add(JSON.stringify(note));
    return { ...step, notes };
  });
}

/**
 * Like `showTrace`, for a user who may see one client only.
 * @throws AdminRefusal also for an attempt of another client
 */
export async function showTraceOf(clientId: string, id: string): Promise<Trace> {
  const trace = await showTrace(id);
  if (trace.clientId !== clientId)
    refuseAdmin('trace', sentence('refused.attempt.gone'), 'missing');
  return forOneApp(trace);
}

/** An attempt, reduced to what people who see only this app may see. */
export function forOneApp(trace: Trace): Trace {
  const steps = trace.steps.map((step) => ({ ...step, notes: step.notes.map(withoutOthers) }));
  return { ...trace, steps };
}

/** Only people who see every app may learn whose secret it was. */
const withoutOthers = (note: TracedNote): TracedNote =>
  note.rule === 'client-auth.secret-of-other' ? { ...note, received: null } : note;

/** The id of the attempt that a request belongs to, by its `X-Request-Id`, or null. */
export async function traceOfRequest(requestId: string): Promise<string | null> {
  await writeTraces();
  return (await findTraceOfRequest(requestId))?.id ?? null;
}
