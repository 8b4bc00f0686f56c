import type { Result } from './load.ts';

export type Row = {
  server: string;
  workload: string;
  title: string;
  round: number;
  result: Result;
};

/**
 * The rows as Markdown: medians over the rounds, with their spread. How many times faster the first
 * server is than another is computed for each round, and its median shown, because whatever slows
 * the machine down for a while slows both.
 */
export function report(
  rows: Row[],
  about: { connections: number; database: string; cores: string; cpu: string },
): string {
  const lines = [
    `${about.database}, ${about.connections} connections, ${about.cores} (${about.cpu}, Node ${process.version}).`,
  ];
  for (const title of new Set(rows.map((row) => row.title))) {
    const own = rows.filter((row) => row.title === title);
    const servers = [...new Set(own.map((row) => row.server))];
    const first = own.filter((row) => row.server === servers[0]);
    lines.push(
      '',
      `**${title}**`,
      '',
      '| server | requests/s | spread | p50 ms | p99 ms | CPU µs | core | load | requests: Gatehouse is | CPU: Gatehouse needs | |',
      '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|',
    );
    const most = Math.max(...servers.map((server) => median(ratesOf(own, server))));
    for (const server of servers) lines.push(line(own, server, first, most));
  }
  return lines.join('\n');
}

function line(rows: Row[], server: string, first: Row[], most: number): string {
  const own = rows.filter((row) => row.server === server);
  const results = own.map((row) => row.result);
  const ratios = (of: 'perSecond' | 'cpu') =>
    own.map(({ round, result }) => {
      const same = first.find((row) => row.round === round);
      return (same?.result[of] ?? 0) / result[of];
    });
  const rates = ratesOf(rows, server);
  const rate = median(rates);
  const bar = '█'.repeat(Math.max(1, Math.round((rate / most) * 20)));
  const cells = [
    server,
    Math.round(rate).toLocaleString('en'),
    `${Math.round(Math.min(...rates))}–${Math.round(Math.max(...rates))}`,
    median(results.map((result) => result.p50)).toFixed(2),
    median(results.map((result) => result.p99)).toFixed(2),
    String(Math.round(median(results.map((result) => result.cpu)))),
    percent(results.map(({ busy }) => busy.server)),
    percent(results.map(({ busy }) => busy.load)),
    spread(ratios('perSecond')),
    spread(ratios('cpu')),
    bar,
  ];
  const failures = results.reduce((sum, result) => sum + result.failures, 0);
  return `| ${cells.join(' | ')} |${failures ? ` ${failures} requests failed` : ''}`;
}

const spread = (ratios: number[]) =>
  `${median(ratios).toFixed(2)} × (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`;

/** How much of a core was used, as a percentage: the server's core, or the load generator's. */
const percent = (shares: number[]) => `${Math.round(100 * median(shares))} %`;

function ratesOf(rows: Row[], server: string): number[] {
  return rows.filter((row) => row.server === server).map((row) => row.result.perSecond);
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
