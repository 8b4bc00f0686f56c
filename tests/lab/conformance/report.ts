import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plan } from './plans.ts';
import type { Entry, Result } from './suite.ts';

/** The results of a plan's modules. */
export type Tally = {
  name: string;
  plan: Plan;
  counts: Map<string, number>;
  /** The modules that failed without a reason in the plan, and those that passed despite one. */
  unexplained: string[];
};

export const tallyOf = (name: string, plan: Plan): Tally => ({
  name,
  plan,
  counts: new Map(),
  unexplained: [],
});

/**
 * Counts and prints a module's result, and keeps its log. @param folder where the log is written
 */
export function tell(tally: Tally, module: string, result: Result, folder: string): void {
  const { id, status, log } = result;
  const verdict = status === 'FINISHED' ? (result.result ?? status) : 'FAILED';
  tally.counts.set(verdict, (tally.counts.get(verdict) ?? 0) + 1);
  writeFileSync(join(folder, `${module}-${id}.json`), JSON.stringify(log, null, 2));
  const reason = tally.plan.explained?.[module];
  const failed = verdict === 'FAILED';
  if (failed !== (reason !== undefined)) tally.unexplained.push(module);
  console.log(`${verdict.padEnd(8)} ${module}${status === 'FINISHED' ? '' : ` (${status})`}`);
  for (const line of linesOf(log)) console.log(`    ${line}`);
  if (reason) console.log(`    ${failed ? 'Explained' : 'Passed, though explained'}: ${reason}`);
}

const linesOf = (log: readonly Entry[]): string[] =>
  log.flatMap(({ src, msg, result, requirements = [], page_source }) => [
    ...(['FAILURE', 'WARNING'].includes(result ?? '')
      ? [`${result} ${src}: ${msg?.split('\n', 1)[0]} ${requirements.join(' ')}`]
      : []),
    ...(page_source === undefined ? [] : [`Seen: ${titleOf(page_source)}`]),
  ]);

/** The title of a page. */
function titleOf(page: string): string {
  const [, rest = ''] = page.split('<title>');
  return (rest.split('</title>')[0] ?? '').trim() || 'a page without a title';
}

const columns = ['PASSED', 'WARNING', 'REVIEW', 'SKIPPED', 'FAILED'];

/** The table of docs/conformance.md. */
export function tableOf(tallies: readonly Tally[]): string {
  const heads = ['plan', 'modules', 'passed', 'warning', 'to be looked at', 'skipped', 'failed'];
  const rows = tallies.map(({ name, plan, counts }) => [
    `\`${name}\` (\`${plan.name}\`)`,
    String([...counts.values()].reduce((sum, count) => sum + count, 0)),
    ...columns.map((column) => String(counts.get(column) ?? '')),
  ]);
  const unexplained = tallies.flatMap(({ name, unexplained: all }) =>
    all.map((module) => `Not explained: ${name} ${module}`),
  );
  return [
    ...[heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`),
    ...unexplained,
  ].join('\n');
}
