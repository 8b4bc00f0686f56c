import type { Rule } from '../oauth/facts.ts';
import { type Columns, type Joined, read } from './database.ts';
import { Conditions, type Page, type Paging, readCursor, readPage } from './page.ts';
import type { TraceOutcome, TraceStepName } from './traces.ts';

/** An attempt of a client, as a list shows it; step, outcome and rule are those of its last request. */
export type TraceRecord = {
  id: string;
  /** Null: no client of ours was named. */
  clientId: string | null;
  clientName: string | null;
  userId: string | null;
  username: string | null;
  startedAt: Date;
  lastAt: Date;
  step: TraceStepName;
  outcome: TraceOutcome;
  /** Which rule refused the last request; null: it was not refused. */
  rule: Rule | null;
  /** Something was refused on its way, even if it came right later. */
  failed: boolean;
  /** A stranger can have caused it: an unknown client, or an address that is not registered. */
  strange: boolean;
};

/** A request of an attempt. */
export type TraceStep = {
  at: Date;
  /** Of the request; of the last one, where there were several that succeeded. */
  requestId: string;
  step: TraceStepName;
  outcome: TraceOutcome;
  times: number;
  code: string | null;
  rule: Rule | null;
  reason: string | null;
  /** A stranger's text: to be shown as such, without a link. */
  received: string | null;
  expected: string[];
  detail: Record<string, string | number | boolean>;
};

export type Trace = TraceRecord & { steps: TraceStep[] };

export type TraceFilter = Paging & {
  clientId?: string;
  userId?: string;
  outcome?: TraceOutcome;
  /** Something was refused on its way. */
  failed?: boolean;
  /** Any request of it was refused by this rule. */
  rule?: Rule;
  since?: Date;
  until?: Date;
};

const select = `
  SELECT t.id, t.ring, t.failed, t.client_id, c.name AS client_name, t.user_id, u.username, t.started_at,
    t.last_at, t.step, t.outcome, t.rule
  FROM traces t
  LEFT JOIN clients c ON c.id = t.client_id
  LEFT JOIN users u ON u.id = t.user_id`;

type TraceRow = Columns<'traces'> & Joined<{ client_name: string; username: string }>;

/** Attempts, the one with the latest request first. @throws BadCursor */
export function listTraces(filter: TraceFilter): Promise<Page<TraceRecord>> {
  const { clientId, userId, outcome, failed, rule, since, until, cursor, limit = 50 } = filter;
  const conditions = new Conditions();
  if (clientId) conditions.and('t.client_id = ?', clientId);
  if (userId) conditions.and('t.user_id = ?', userId);
  if (outcome) conditions.and('t.outcome = ?', outcome);
  if (failed !== undefined) conditions.and('t.failed = ?', failed);
  if (rule)
    conditions.and(
      'EXISTS (SELECT 1 FROM trace_steps s WHERE s.trace_id = t.id AND s.rule = ?)',
      rule,
    );
  if (since) conditions.and('t.last_at >= ?', since);
  if (until) conditions.and('t.last_at < ?', until);
  if (cursor) {
    const [at, id] = readCursor(cursor, ['number', 'string']);
    conditions.and('(t.last_at, t.id) < (?, ?)', new Date(Number(at)), String(id));
  }
  const order = 't.last_at DESC, t.id DESC';
  return readPage(select, conditions, order, limit, toRecord, ({ lastAt, id }) => [
    lastAt.getTime(),
    id,
  ]);
}

/** An attempt with its requests, in the order they came; null: it is not kept. */
export async function findTrace(id: string): Promise<Trace | null> {
  const [row] = await read<TraceRow>(`${select} WHERE t.id = $1`, [id]);
  if (!row) return null;
  const steps = await read<Columns<'trace_steps'>>(
    'SELECT * FROM trace_steps WHERE trace_id = $1 ORDER BY at, key',
    [id],
  );
  return { ...toRecord(row), steps: steps.map(toStep) };
}

/** The attempt that a request belongs to, by the `X-Request-Id` of its answer; null: it is not kept. */
export async function findTraceOfRequest(requestId: string): Promise<Trace | null> {
  const sql = 'SELECT trace_id FROM trace_steps WHERE request_id = $1 ORDER BY at DESC LIMIT 1';
  const [row] = await read<Columns<'trace_steps', 'trace_id'>>(sql, [requestId]);
  return row ? findTrace(row.trace_id) : null;
}

function toRecord(row: TraceRow): TraceRecord {
  return {
    id: row.id,
    clientId: row.client_id,
    clientName: row.client_name,
    userId: row.user_id,
    username: row.username,
    startedAt: row.started_at,
    lastAt: row.last_at,
    step: row.step as TraceStepName,
    outcome: row.outcome as TraceOutcome,
    rule: row.rule as Rule | null,
    failed: row.failed,
    strange: row.ring === '',
  };
}

function toStep(row: Columns<'trace_steps'>): TraceStep {
  return {
    at: row.at,
    requestId: row.request_id,
    step: row.step as TraceStepName,
    outcome: row.outcome as TraceOutcome,
    times: row.times,
    code: row.code,
    rule: row.rule as Rule | null,
    reason: row.reason,
    received: row.received,
    expected: JSON.parse(row.expected) as string[],
    detail: JSON.parse(row.detail) as TraceStep['detail'],
  };
}
