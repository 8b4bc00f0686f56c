import type { Rule } from '../oauth/facts.ts';
import { newId } from '../oauth/secrets.ts';
import { once } from '../once.ts';
import { log } from '../telemetry/log.ts';
import { beforeClose, database, isMissingParent, write } from './engine/database.ts';
import type { SqlValue } from './engine/statement.ts';
import { outsideTransaction } from './engine/transaction.ts';
import { type OneByOne, oneByOne } from './engine/write-behind.ts';
import {
  type Behind,
  behinds,
  isOfPeople,
  isStrongerThan,
  ringOf,
  room,
  shareOfPerson,
  stronger,
  strongerIn,
  unknownClients,
} from './trace-rings.ts';

/** The kinds of request an attempt is made of, in their usual order. */
const traceSteps = [
  'authorize',
  'device',
  'sign-in',
  'second-step',
  'consent',
  'token',
  'refresh',
  'userinfo',
  'introspect',
  'revoke',
  'sign-out',
  'register',
  'guard',
  'address',
  'bind',
  'search',
] as const;
export type TraceStepName = (typeof traceSteps)[number];

/** Where requests come in: from browsers and apps, from proxies, or at the LDAP server. */
export const throughs = ['web', 'proxy', 'ldap'] as const;
export type Through = (typeof throughs)[number];

/**
 * How a step ended: it did what it is for; the user first has to sign in or to allow it; the user
 * said no; a sign-in failed; the request was refused.
 */
export const traceOutcomes = ['done', 'sign-in', 'consent', 'denied', 'failed', 'refused'] as const;
export type TraceOutcome = (typeof traceOutcomes)[number];

/** A request of an attempt, as it is recorded. */
export type TracedRequest = {
  /**
   * The id of its authorization request, which identifies the attempt; null if this request belongs
   * to none.
   */
  attempt: string | null;
  requestId: string;
  step: TraceStepName;
  outcome: TraceOutcome;
  clientId: string | null;
  userId: string | null;
  behind: Behind;
  refusal: TracedRefusal | null;
  /** Other facts about it. */
  notes?: readonly TracedNote[];
};

/** The rule, what was received, and what would have been right. */
export type TracedNote = { rule: Rule; received: string | null; expected: readonly string[] };
export type TracedRefusal = TracedNote & { code: string | null; reason: string };

/**
 * The maximum number of requests that wait to be written, by the proof behind them. Further ones are
 * dropped.
 */
const mostWaiting: Record<Behind, number> = { nobody: 200, person: 300, app: 400 };
/** The maximum recorded between two writes, for one ring and for one person in it. */
const atOnce = {
  refused: { ofRing: 25, ofPerson: 10 },
  attempts: { ofRing: 5, ofPerson: 3 },
  done: { ofRing: 20, ofPerson: 10 },
};
const writeEvery = 1000;
/** The maximum number of attempts whose successes are followed. */
const mostFollowed = 2000;

/** The maximum number of refused requests kept for one attempt. */
const mostRefusals = 20;

type Waiting = TracedRequest & { id: string; at: Date; times: number; ring: string };

type Recorder = {
  waiting: Map<string, Waiting>;
  /** The number of waiting requests for each kind of proof. */
  with: Record<Behind, number>;
  /** How many requests of each ring were accepted since the last write. */
  taken: Map<string, number>;
  followed: Set<string>;
  dropped: number;
  /** How many of the dropped ones were already reported in the log. */
  told: number;
  timer: NodeJS.Timeout | null;
  writes: OneByOne;
};

const recorder = () =>
  once('traces', (): Recorder => {
    beforeClose(writeTraces);
    return {
      waiting: new Map(),
      with: { nobody: 0, person: 0, app: 0 },
      taken: new Map(),
      followed: new Set(),
      dropped: 0,
      told: 0,
      timer: null,
      writes: oneByOne(),
    };
  });

/**
 * Records a request. It needs no database access and only bounded memory: of a busy client's
 * successes some are followed from step to step, and what arrives faster than it can be written is
 * dropped and counted.
 */
export function recordTrace(request: TracedRequest, now: Date): void {
  const ring = ringOf(request.clientId, request.behind);
  if (request.refusal) recordRefused(request, ring, now);
  else recordDone(request, ring, now);
}

function recordRefused(request: TracedRequest, ring: string, now: Date): void {
  const state = recorder();
  const id = request.attempt ?? newId(now);
  if (hasRoom(state, 'refused', ring, request))
    add(state, `${id} ${request.requestId}`, { ...request, id, at: now, times: 1, ring });
  else state.dropped += 1;
}

function recordDone(request: TracedRequest, ring: string, now: Date): void {
  const { attempt, step, outcome } = request;
  if (attempt === null) return;
  const state = recorder();
  const key = `${attempt} ${step} ${outcome}`;
  const again = state.waiting.get(key);
  if (again) repeat(again, request, now);
  else if (isFollowed(state, attempt, ring, request) && hasRoom(state, 'done', ring, request))
    add(state, key, { ...request, id: attempt, at: now, times: 1, ring });
}

function repeat(again: Waiting, request: TracedRequest, now: Date): void {
  const { requestId, userId, clientId, behind, notes } = request;
  again.times += 1;
  again.at = now;
  again.requestId = requestId;
  again.userId ??= userId;
  again.clientId ??= clientId;
  again.behind = stronger(again.behind, behind);
  again.ring = ringOf(again.clientId, again.behind);
  if (notes?.length) again.notes = notes;
}

/**
 * Whether the successes of an attempt are kept: all of them, once the attempt is followed. The
 * number of new attempts that are followed between two writes is limited.
 */
function isFollowed(state: Recorder, attempt: string, ring: string, by: TracedRequest): boolean {
  if (state.followed.has(attempt)) return true;
  if (!hasRoom(state, 'attempts', ring, by)) return false;
  const [oldest] = state.followed;
  if (state.followed.size >= mostFollowed && oldest !== undefined) state.followed.delete(oldest);
  state.followed.add(attempt);
  return true;
}

function hasRoom(
  state: Recorder,
  kind: keyof typeof atOnce,
  ring: string,
  { userId }: TracedRequest,
): boolean {
  const { ofRing, ofPerson } = atOnce[kind];
  const hasShare = !isOfPeople(ring) || takes(state, `${kind} ${ring} ${userId}`, ofPerson);
  return hasShare && takes(state, `${kind} ${ring}`, ofRing);
}

function takes(state: Recorder, key: string, most: number): boolean {
  const taken = state.taken.get(key) ?? 0;
  if (taken >= most) return false;
  if (taken > 0 || state.taken.size < mostWaiting.app * 2) state.taken.set(key, taken + 1);
  return true;
}

function add(state: Recorder, key: string, waiting: Waiting): void {
  const behind = waiting.ring === unknownClients ? 'nobody' : waiting.behind;
  if (isFullFor(state, behind)) {
    state.dropped += 1;
    return;
  }
  state.waiting.set(key, waiting);
  state.with[behind] += 1;
  const writeAll = () => {
    state.timer = null;
    writeTraces().catch((error: unknown) =>
      log().warn({ err: error }, 'traces could not be written'),
    );
  };
  state.timer ??= outsideTransaction(() => setTimeout(writeAll, writeEvery).unref());
}

/** Requests with weaker proof may not use the room reserved for those with stronger. */
function isFullFor(state: Recorder, behind: Behind): boolean {
  let waiting = 0;
  return behinds.some((each, rank) => {
    waiting += state.with[each];
    return rank >= behinds.indexOf(behind) && waiting >= mostWaiting[each];
  });
}

/** How many requests were dropped instead of recorded since this process began. */
export function droppedTraces(): number {
  return recorder().dropped;
}

const insertTrace = `
  INSERT INTO traces (id, ring, behind, failed, client_id, user_id, started_at, last_at, step, outcome, rule)
  VALUES (:id, :ring, :behind, :failed, :clientId, :userId, :at, :at, :step, :outcome, :rule)
  ON CONFLICT (id) DO UPDATE SET failed = (traces.failed OR excluded.failed),
    ring = CASE WHEN excluded.ring = '${unknownClients}' THEN traces.ring
      WHEN traces.ring = '${unknownClients}' OR ${isStrongerThan('traces')} THEN excluded.ring
      ELSE traces.ring END,
    behind = ${strongerIn('traces')},
    client_id = COALESCE(traces.client_id, excluded.client_id),
    user_id = COALESCE(traces.user_id, excluded.user_id), last_at = excluded.last_at,
    step = excluded.step, outcome = excluded.outcome, rule = excluded.rule
  WHERE traces.client_id IS NULL OR excluded.client_id IS NULL OR traces.client_id = excluded.client_id
  RETURNING id`;
const insertStep = `
  INSERT INTO trace_steps (trace_id, key, at, request_id, step, outcome, times, behind, notes, code, rule, reason, received, expected)
  VALUES (:id, :key, :at, :requestId, :step, :outcome, :times, :behind, :notes, :code, :rule, :reason, :received, :expected)
  ON CONFLICT (trace_id, key) DO UPDATE SET at = excluded.at, request_id = excluded.request_id,
    outcome = excluded.outcome, times = trace_steps.times + excluded.times,
    behind = ${strongerIn('trace_steps')},
    notes = CASE WHEN excluded.notes = '[]' THEN trace_steps.notes ELSE excluded.notes END`;
const cutRing = `
  DELETE FROM traces WHERE id IN (
    SELECT id FROM traces WHERE ring = :ring AND failed = :failed ORDER BY last_at DESC LIMIT 1000 OFFSET `;
const cutPeople = (most: number) => `
  DELETE FROM traces WHERE id IN (
    SELECT id FROM (
      SELECT id, ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY last_at DESC) AS nth
      FROM traces WHERE ring = :ring AND failed = :failed) AS of_each
    WHERE nth > ${most})`;
const cutSteps = `
  DELETE FROM trace_steps WHERE trace_id = :id AND key IN (
    SELECT key FROM trace_steps WHERE trace_id = :id AND outcome = 'refused'
    ORDER BY at DESC LIMIT 1000 OFFSET ${mostRefusals})`;

/** Writes what was recorded until now; also called at shutdown. */
export function writeTraces(): Promise<void> {
  const state = recorder();
  return state.writes(() => writeWaiting(state));
}

async function writeWaiting(state: Recorder): Promise<void> {
  const waiting = [...state.waiting.values()];
  state.waiting.clear();
  state.with = { nobody: 0, person: 0, app: 0 };
  state.taken.clear();
  if (state.dropped > state.told) {
    log().warn({ dropped: state.dropped - state.told }, 'traces dropped: too many at once');
    state.told = state.dropped;
  }
  await inParts(waiting, writeRequest);
  const rings = [...new Set(waiting.map(({ ring }) => ring))];
  await inParts(rings, cut);
  const refused = waiting.filter(({ refusal }) => refusal).map(({ id }) => id);
  await inParts([...new Set(refused)], (id) => write(cutSteps, { id }));
}

async function cut(ring: string): Promise<void> {
  if (isOfPeople(ring)) {
    await write(cutPeople(shareOfPerson.failed), { ring, failed: true });
    await write(cutPeople(shareOfPerson.others), { ring, failed: false });
  }
  await write(`${cutRing}${room.failed})`, { ring, failed: true });
  await write(`${cutRing}${room.others})`, { ring, failed: false });
}

/**
 * Does something for each: on SQLite all at the same time, so that one commit makes all of it
 * durable; on PostgreSQL one after the other, so that requests can still get a connection.
 */
async function inParts<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  if (all.length === 0) return;
  const size = database().kind === 'sqlite' ? mostWaiting.app : 1;
  for (let at = 0; at < all.length; at += size)
    await Promise.all(all.slice(at, at + size).map(work));
}

async function writeRequest(request: Waiting): Promise<void> {
  try {
    if (await writeAttempt(request)) await write(insertStep, valuesOf(request));
    else await writeRequest({ ...request, id: newId(request.at) });
  } catch (error) {
    // The client or the user was deleted meanwhile.
    if (!isMissingParent(error)) throw error;
  }
}

/**
 * False: the attempt belongs to another client, whose developers must not read what this one sent.
 */
async function writeAttempt(request: Waiting): Promise<boolean> {
  const { id, ring, behind, clientId, userId, at, step, outcome, refusal } = request;
  const [failed, rule] = [refusal !== null, refusal?.rule ?? null];
  const trace = { id, ring, behind, failed, clientId, userId, at, step, outcome, rule };
  return (await write(insertTrace, trace)).length > 0;
}

function valuesOf(waiting: Waiting): Record<string, SqlValue> {
  const { id, at, requestId, step, outcome, times, behind, refusal, notes = [] } = waiting;
  const { code = null, rule = null, reason = null } = refusal ?? {};
  const { received = null, expected = [] } = refusal ?? {};
  const key = refusal ? requestId : `${step} ${outcome}`;
  const facts = { code, rule, reason, received, expected: JSON.stringify(expected) };
  const request = { id, key, at, requestId, step, outcome, times, behind };
  return { ...request, notes: JSON.stringify(notes), ...facts };
}
