import type { Command } from 'commander';
import type { Trace, TraceRecord, TraceStep } from '../management/traces.ts';
import { type Rule, rules } from '../oauth/facts.ts';
import { type TraceOutcome, traceOutcomes } from '../store/traces.ts';
import { type Answer, answering } from './answer.ts';
import { addListOptions, type ListOptions, oneOf, readList, readMoment } from './options.ts';
import { facts, table, withNext } from './text.ts';

const traces = () => import('../management/traces.ts');

type Options = ListOptions & {
  client?: string;
  user?: string;
  outcome?: string;
  failed?: boolean;
  reason?: string;
  request?: string;
  since?: string;
  until?: string;
};

/** Commands about what apps tried, and why it failed. */
export function addTraceCommands(program: Command): void {
  const trace = program
    .command('trace')
    .description('what apps tried, step by step, and why it failed');
  addList(trace);
  trace
    .command('show')
    .description('show an attempt with its requests')
    .argument('<id>', 'its id, or the X-Request-Id of one of its requests')
    .addHelpText(
      'after',
      '\nExample:\n  npm run cli -- trace show 019a8c3e-5f0e-7d4b-9d2e-0f6a1b2c3d4e',
    )
    .action(
      answering(async (id: string) => {
        const { showTrace, traceOfRequest } = await traces();
        const { clientMeant } = await import('../management/meant-client.ts');
        const trace = await showTrace((await traceOfRequest(id)) ?? id);
        return about(trace, (await clientMeant(trace))?.id ?? null);
      }),
    );
}

function addList(trace: Command): void {
  const list = trace
    .command('list')
    .description('list attempts, the one with the latest request first')
    .option('--client <client_id>', 'of this client')
    .option('--user <user>', 'of this user: username, email address or id')
    .option('--outcome <outcome>', `how the last request ended: ${traceOutcomes.join(', ')}`)
    .option('--failed', 'only those with a refused request')
    .option('--reason <reason>', 'refused for this reason, such as redirect-uri.unregistered')
    .option('--request <id>', 'with this X-Request-Id')
    .option('--since <time>', '2026-01-31, 2026-01-31T12:00:00Z, or 24h for the last 24 hours')
    .option('--until <time>', 'before this time');
  addListOptions(list)
    .addHelpText(
      'after',
      `
Reasons: ${rules.join(', ')}

Example:
  npm run cli -- trace list --client my-app --failed --since 24h`,
    )
    .action(
      answering(async (options: Options) => {
        const { listTraces } = await traces();
        const page = await listTraces(await filterIn(options));
        const text = table(
          ['last request', 'result', 'step', 'reason', 'client', 'user', 'behind', 'id'],
          page.rows.map(cells),
          'No attempts.',
        );
        return {
          json: { traces: page.rows.map(toJson), next: page.next },
          text: withNext(text, page.next),
        };
      }),
    );
}

async function filterIn({ client, user, outcome, failed, reason, request, ...others }: Options) {
  const { showClient } = await import('../management/clients.ts');
  const { showUser } = await import('../management/users.ts');
  const now = new Date();
  return {
    ...readList(others),
    clientId: client === undefined ? undefined : (await showClient(client)).id,
    userId: user === undefined ? undefined : (await showUser(user)).id,
    outcome: oneOf<TraceOutcome>('outcome', outcome, traceOutcomes),
    rule: oneOf<Rule>('reason', reason, rules),
    failed,
    requestId: request,
    since: readMoment('since', others.since, now),
    until: readMoment('until', others.until, now),
  };
}

function cells(trace: TraceRecord) {
  const { id, lastAt, outcome, step, rule, clientId, username, behind } = trace;
  return [lastAt, outcome, step, rule, clientId, username, behind, id];
}

function toJson(trace: TraceRecord): Record<string, unknown> {
  const { id, step, outcome, failed, behind } = trace;
  return {
    id,
    client_id: trace.clientId,
    client_name: trace.clientName,
    user_id: trace.userId,
    username: trace.username,
    started_at: trace.startedAt,
    last_at: trace.lastAt,
    step,
    outcome,
    reason: trace.rule,
    failed,
    behind,
  };
}

function stepJson({ requestId, rule, reason, ...step }: TraceStep): Record<string, unknown> {
  const { at, outcome, times, behind, code, received, expected, notes } = step;
  return {
    at,
    request_id: requestId,
    step: step.step,
    outcome,
    times,
    behind,
    error: code,
    reason: rule,
    error_description: reason,
    received,
    expected,
    notes: notes.map(({ rule, ...note }) => ({ reason: rule, ...note })),
  };
}

function about(trace: Trace, meant: string | null): Answer {
  const json = { ...toJson(trace), client_meant: meant, steps: trace.steps.map(stepJson) };
  const head = facts([
    ['id', trace.id],
    ['client', trace.clientName === null ? null : `${trace.clientName} (${trace.clientId})`],
    ['did you mean', meant],
    ['user', trace.username],
    ['behind', trace.behind],
    ['started', trace.startedAt],
  ]);
  return { json, text: [head, ...trace.steps.map(stepText)].join('\n\n') };
}

function noteText({ rule, received, expected }: TraceStep['notes'][number]) {
  return [
    ['  note', rule],
    ['  received', received],
    ...expected.map((text): [string, string] => ['  expected', text]),
  ] satisfies [string, string | null][];
}

function stepText(step: TraceStep): string {
  const times = step.times > 1 ? ` (${step.times} times)` : '';
  const refused: [string, string | null][] = [
    ['  reason', step.rule],
    ['  received', step.received],
    ...step.expected.map((text): [string, string] => ['  expected', text]),
    ['  answer', step.reason],
  ];
  return facts([
    ['at', step.at],
    ['  step', `${step.step}: ${step.outcome}${times}`],
    ['  behind', step.behind],
    ...(step.outcome === 'refused' || step.rule ? refused : []),
    ...step.notes.flatMap(noteText),
    ['  request', step.requestId],
  ]);
}
