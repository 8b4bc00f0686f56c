import type { Rule } from '../oauth/facts.ts';
import { allColumns } from './engine/all-columns.ts';
import { type Columns, database, type Joined, read } from './engine/database.ts';
import { type Kept, Listing } from './engine/listing.ts';
import { Conditions, type Paging, storable, type Total } from './engine/page.ts';
import { idsOf, inList } from './engine/parameters.ts';
import { pictureOf } from './logos.ts';
import { shownName } from './shown-name.ts';
import type { Behind } from './trace-rings.ts';
import type { Through, TracedNote, TraceOutcome, TraceStepName } from './traces.ts';

/**
 * An attempt of a client, as a list shows it. Step, outcome and rule are those of its last request.
 */
export type TraceRecord = {
  id: string;
  /** null if none of our clients was named. */
  clientId: string | null;
  clientName: string | null;
  clientAgent: boolean;
  /** The address of the client's picture, if it has one. */
  clientPicture?: string;
  userId: string | null;
  username: string | null;
  startedAt: Date;
  lastAt: Date;
  step: TraceStepName;
  outcome: TraceOutcome;
  /** Which rule refused the last request; null if it was not refused. */
  rule: Rule | null;
  /** Whether any of its requests was refused, even if the attempt succeeded later. */
  failed: boolean;
  /** The strongest proof behind any of its requests. */
  behind: Behind;
  /** Whether a browser or a device asked for it, and not the app alone. */
  asked: boolean;
  /** Whether the app refreshed its tokens. */
  renewed: boolean;
};

/** A request of an attempt. */
export type TraceStep = {
  at: Date;
  /** The id of the request, or of the last one if several succeeded. */
  requestId: string;
  step: TraceStepName;
  outcome: TraceOutcome;
  times: number;
  code: string | null;
  rule: Rule | null;
  reason: string | null;
  /** Text that anyone can send: to be shown as plain text, without a link. */
  received: string | null;
  expected: string[];
  /** The proof behind this request. */
  behind: Behind;
  /** Other facts about it; for their texts the same applies as for `received`. */
  notes: TracedNote[];
};

export type Trace = TraceRecord & { steps: TraceStep[] };

/** SQL: the steps of the requests that come in there. */
const stepsThrough: Record<Through, string> = {
  web: "t.step NOT IN ('guard', 'bind', 'search')",
  proxy: "t.step = 'guard'",
  ldap: "t.step IN ('bind', 'search')",
};

export type TraceFilter = Paging & {
  clientId?: string;
  userId?: string;
  outcome?: TraceOutcome;
  /** Whether any of its requests was refused. */
  failed?: boolean;
  /** Any request of it was refused by this rule, or noted under it. */
  rule?: Rule;
  /** Where its last request came in. */
  through?: Through;
  /** The `X-Request-Id` of one of its requests. */
  requestId?: string;
  since?: Date;
  until?: Date;
};

/** SQL: 1 if an attempt has such a request. */
const hasStep = (condition: string) =>
  `CASE WHEN EXISTS (SELECT 1 FROM trace_steps s WHERE s.trace_id = t.id AND ${condition}) THEN 1 ELSE 0 END`;

const select = `
  SELECT t.id, t.behind, t.failed, t.client_id, ${shownName('c')} AS client_name, c.origin, c.recipe, c.logo, c.agent, t.user_id, u.username, t.started_at,
    t.last_at, t.step, t.outcome, t.rule,
    ${hasStep("s.step IN ('authorize', 'device', 'sign-in', 'consent')")} AS asked,
    ${hasStep("s.key = 'refresh done'")} AS renewed
  FROM traces t
  LEFT JOIN clients c ON c.id = t.client_id
  LEFT JOIN users u ON u.id = t.user_id`;

type Told = Pick<TraceRecord, 'step' | 'outcome' | 'rule' | 'behind'>;
type TraceRow = Omit<Columns<'traces'>, 'ring'> &
  Told &
  Joined<Columns<'clients', 'origin' | 'recipe' | 'logo' | 'agent'>> &
  Joined<{ clientName: string; username: string }> & { asked: number; renewed: number };

const byTime: Kept<TraceRow>[] = [
  { sql: 't.last_at', moment: (row) => row.lastAt },
  { sql: 't.id', text: (row) => row.id },
];

type StepRow = Columns<'trace_steps'> & Told;

/** Attempts, the one with the latest request first. */
export const traceList = new Listing({
  sql: select,
  count: countTraces,
  conditions: conditionsOf,
  order: () => ({ columns: byTime, direction: 'descending' }),
  sorts: { when: byTime },
  toRecord,
});

/** More than anyone pages through. */
const examinedAtMost = 10_000;
/** So many that the reasons are counted in some twenty milliseconds. */
const countedAtMost = 5000;

/**
 * How many attempts a filter finds among the latest ones, because a rule is looked up in each of
 * them.
 */
async function countTraces({ rule, ...others }: TraceFilter): Promise<Total> {
  const { where, params } = conditionsOf(others);
  const isMeant = rule ? refusedBy(':rule') : '1 = 1';
  const sql = `SELECT count(*) AS examined, count(CASE WHEN ${isMeant} THEN 1 END) AS found
    FROM (SELECT t.id FROM traces t ${where} ORDER BY t.last_at DESC LIMIT ${examinedAtMost + 1}) t`;
  type Counts = { examined: number; found: number };
  const [row] = await read<Counts>(sql, rule ? { ...params, rule } : params);
  const { examined = 0, found = 0 } = row ?? {};
  return { count: Math.min(found, examinedAtMost), more: examined > examinedAtMost };
}

/**
 * The rules that refused or noted a request of the attempts that a filter finds, most frequent
 * first, and in how many of the latest attempts.
 */
export async function countRules(
  filter: Omit<TraceFilter, 'rule'>,
): Promise<{ rule: string; found: number }[]> {
  const { where, params } = conditionsOf(filter);
  const sql = `
    WITH found AS (SELECT s.trace_id, s.rule, s.notes
      FROM (SELECT t.id FROM traces t ${where} ORDER BY t.last_at DESC LIMIT ${countedAtMost}) t
      JOIN trace_steps s ON s.trace_id = t.id WHERE s.rule IS NOT NULL OR s.notes <> '[]')
    SELECT rule, CAST(count(DISTINCT trace_id) AS INTEGER) AS found
    FROM (SELECT trace_id, rule FROM found WHERE rule IS NOT NULL
      UNION ALL SELECT trace_id, ${notedRules()}) each
    GROUP BY rule ORDER BY found DESC, rule`;
  return read<{ rule: string; found: number }>(sql, params);
}

/** SQL: the rules in a JSON array of notes. */
const notedRules = () =>
  database().kind === 'sqlite'
    ? `json_extract(n.value, '$.rule') FROM found, json_each(notes) n WHERE notes <> '[]'`
    : `n.value ->> 'rule' FROM found, json_array_elements(CAST(notes AS json)) n WHERE notes <> '[]'`;

/** The condition that a request of an attempt was refused by a rule, or noted under it. */
const refusedBy = (rule: string) =>
  `EXISTS (SELECT 1 FROM trace_steps s WHERE s.trace_id = t.id
    AND (s.rule = ${rule} OR s.notes LIKE '%"rule":"' || ${rule} || '"%'))`;

function conditionsOf(filter: TraceFilter): Conditions {
  const { clientId, userId, outcome, failed, rule, through, requestId, since, until } = filter;
  const conditions = new Conditions();
  if (clientId) conditions.and('t.client_id = ?', clientId);
  if (userId) conditions.and('t.user_id = ?', userId);
  if (outcome) conditions.and('t.outcome = ?', outcome);
  if (failed !== undefined) conditions.and('t.failed = ?', failed);
  if (rule) conditions.and(refusedBy('?'), rule, rule);
  if (through) conditions.and(stepsThrough[through]);
  if (requestId)
    conditions.and('t.id IN (SELECT trace_id FROM trace_steps WHERE request_id = ?)', requestId);
  if (since) conditions.and('t.last_at >= ?', since);
  if (until) conditions.and('t.last_at < ?', until);
  return conditions;
}

/** An attempt with its requests, in the order they came; null if it is not stored. */
export async function findTrace(id: string): Promise<Trace | null> {
  const [row] = await read<TraceRow>(`${select} WHERE t.id = :id`, { id: storable(id) });
  if (!row) return null;
  const steps = await read<StepRow>(
    `SELECT ${allColumns('trace_steps')} FROM trace_steps WHERE trace_id = :id ORDER BY at, key`,
    { id: row.id },
  );
  return { ...toRecord(row), steps: steps.map(toStep) };
}

/** The latest attempts of a client with their requests, the one with the latest request first. */
export async function listAttempts(clientId: string, limit: number): Promise<Trace[]> {
  const { rows } = await traceList.page({ clientId, limit });
  if (rows.length === 0) return [];
  const { marks, params } = inList('id', idsOf(rows));
  const steps = await read<StepRow>(
    `SELECT ${allColumns('trace_steps')} FROM trace_steps WHERE trace_id IN (${marks}) ORDER BY at, key`,
    params,
  );
  return rows.map((row) => ({
    ...row,
    steps: steps.filter(({ traceId }) => traceId === row.id).map(toStep),
  }));
}

/** A sign-in that got as far as it can: to tokens, through a proxy, or to the LDAP server. */
type SignInRecord = {
  traceId: string;
  step: 'token' | 'guard' | 'bind';
  /** null: the app itself, or nobody that is known. */
  username: string | null;
  at: Date;
};

/** The latest stored sign-in to a client that succeeded, of a person if there is one. */
export async function findLatestSignIn(clientId: string): Promise<SignInRecord | null> {
  type Row = Columns<'trace_steps', 'traceId' | 'at'> &
    Joined<{ username: string }> & { step: SignInRecord['step'] };
  const [row] = await read<Row>(
    `SELECT s.trace_id, s.step, s.at, u.username
    FROM traces t
    JOIN trace_steps s ON s.trace_id = t.id AND s.key IN ('token done', 'guard done', 'bind done')
    LEFT JOIN users u ON u.id = t.user_id
    WHERE t.client_id = :clientId
    ORDER BY CASE WHEN u.id IS NULL THEN 1 ELSE 0 END, s.at DESC LIMIT 1`,
    { clientId },
  );
  return row ?? null;
}

/**
 * The attempt that a request belongs to, by the `X-Request-Id` of its answer; null if it is not
 * stored.
 */
export async function findTraceOfRequest(requestId: string): Promise<Trace | null> {
  const sql =
    'SELECT trace_id FROM trace_steps WHERE request_id = :requestId ORDER BY at DESC LIMIT 1';
  const [row] = await read<Columns<'trace_steps', 'traceId'>>(sql, {
    requestId: storable(requestId),
  });
  return row ? findTrace(row.traceId) : null;
}

function toRecord({ origin, recipe, logo, agent, ...row }: TraceRow): TraceRecord {
  const { clientId: id } = row;
  const clientPicture =
    id === null || origin === null ? undefined : pictureOf({ id, origin, recipe, logo });
  const [asked, renewed] = [row.asked === 1, row.renewed === 1];
  return { ...row, clientAgent: agent === true, clientPicture, asked, renewed };
}

function toStep({ traceId: _, key: _key, ...row }: StepRow): TraceStep {
  return { ...row, expected: JSON.parse(row.expected), notes: JSON.parse(row.notes) };
}
