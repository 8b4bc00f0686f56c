import type { Command } from 'commander';
import type { z } from 'zod';
import { attemptActs } from '../management/attempt/acts.ts';
import { rules } from '../oauth/facts.ts';
import { traceOutcomes } from '../store/traces.ts';
import { addAct } from './act-command.ts';
import { readChoice, timeFlags } from './options.ts';
import { facts, table, withNext } from './text.ts';

const flags = {
  client: {
    flag: '--client <client_id>',
    read: async (id: string) =>
      (await (await import('../management/client/clients.ts')).showClient(id)).id,
  },
  user: {
    flag: '--user <user>',
    says: 'of this user: username, email address or id',
    read: async (key: string) =>
      (await (await import('../management/user/users.ts')).showUser(key)).id,
  },
  outcome: {
    flag: '--outcome <outcome>',
    read: (given: string) => readChoice('outcome', given, traceOutcomes),
  },
  failed: { flag: '--failed' },
  reason: {
    flag: '--reason <reason>',
    read: (given: string) => readChoice('reason', given, rules),
  },
  request: { flag: '--request <id>' },
  ...timeFlags,
};

/** Commands about what apps tried and why it failed. */
export function addTraceCommands(program: Command): void {
  const trace = program
    .command('trace')
    .description('what apps tried, step by step, and why it failed');
  addAct(trace.command('list'), attemptActs.list, { flags, text: listText }).addHelpText(
    'after',
    `
Reasons: ${rules.join(', ')}

Example:
  npm run cli -- trace list --client my-app --failed --since 24h`,
  );
  addAct(trace.command('show'), attemptActs.show, {
    places: { id: ['<id>', 'its id, or the X-Request-Id of one of its requests'] },
    text: textOf,
  }).addHelpText(
    'after',
    '\nExample:\n  npm run cli -- trace show 019a8c3e-5f0e-7d4b-9d2e-0f6a1b2c3d4e',
  );
  addAct(trace.command('fix'), attemptActs.fix, {
    places: { id: ['<id>', 'its id'] },
    text: ({ kind, value }) => `Done: ${kind} ${value}`.trim(),
  }).addHelpText('after', '\nThe line “fix” of `trace show` is the whole command.');
}

function listText({ traces, next }: z.output<typeof attemptActs.list.tells>): string {
  const rows = traces.map((row) => [
    row.last_at,
    row.outcome,
    row.step,
    row.reason,
    row.client_id,
    row.username,
    row.behind,
    row.id,
  ]);
  const head = ['last request', 'result', 'step', 'reason', 'client', 'user', 'behind', 'id'];
  return withNext(table(head, rows, 'No attempts.'), next);
}

type Told = z.output<typeof attemptActs.show.tells>;
type Step = Told['steps'][number];

function textOf(trace: Told): string {
  const head = facts([
    ['id', trace.id],
    ['client', trace.client_name === null ? null : `${trace.client_name} (${trace.client_id})`],
    ['did you mean', trace.client_meant],
    ['user', trace.username],
    ['behind', trace.behind],
    ['started', trace.started_at],
  ]);
  return [head, ...trace.steps.map(stepText)].join('\n\n');
}

function noteText({ reason, received, expected }: Step['notes'][number]) {
  return [
    ['  note', reason],
    ['  received', received],
    ...expected.map((text): [string, string] => ['  expected', text]),
  ] satisfies [string, string | null][];
}

function stepText(step: Step): string {
  const times = step.times > 1 ? ` (${step.times} times)` : '';
  const refused: [string, string | null][] = [
    ['  reason', step.reason],
    ['  received', step.received],
    ...step.expected.map((text): [string, string] => ['  expected', text]),
    ['  answer', step.error_description],
    ['  fix', step.fix],
  ];
  return facts([
    ['at', step.at],
    ['  step', `${step.step}: ${step.outcome}${times}`],
    ['  behind', step.behind],
    ...(step.outcome === 'refused' || step.reason ? refused : []),
    ...step.notes.flatMap(noteText),
    ['  request', step.request_id],
  ]);
}
