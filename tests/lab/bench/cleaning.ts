import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { storeSetting } from '#lib/store/settings.ts';
import { endWork, workOn } from '../../support/work-on.ts';
import { drive, type Script } from './load.ts';
import { quantile } from './statistics.ts';
import { type Running, startGatehouse } from './targets.ts';
import { workloads } from './workloads.ts';

/*
 * How much requests notice of cleaning. A server is started on a PostgreSQL database that
 * tests/lab/bench/fill.ts has filled with events. Requests are sent to it at a fixed rate, alternately
 * while nothing is due and while some days of events are deleted, as after an admin has shortened
 * AUDIT_RETENTION_DAYS. Run with: node tests/lab/bench/cleaning.ts --filled URL
 */
const { values } = parseArgs({
  options: {
    filled: { type: 'string' },
    rounds: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '10' },
    /** How many days of events become due in each round. */
    days: { type: 'string', default: '15' },
    /** How many days are kept at first. */
    from: { type: 'string', default: '390' },
    /** The checkout whose server is measured; by default this one. */
    root: { type: 'string' },
  },
});
const url = values.filled;
if (!url) throw new Error('--filled URL: which database was filled?');
const measureMs = Number(values.seconds) * 1000;
const connections = 10;
const kinds = {
  'user information': { script: workloads.me.script, everyMs: 100 },
  refresh: { script: workloads.refresh.script, everyMs: 200 },
  // The token request of a code flow, which has two more requests.
  token: { script: workloads.flow.script, everyMs: 100, of: 2 },
} as const;
type Kind = keyof typeof kinds;
type Phase = Record<Kind, number[]>;

workOn(url);
const db = new pg.Client({ connectionString: url });
await db.connect();
const running = await startGatehouse('direct', {
  databaseUrl: url,
  connections,
  cores: '0,1',
  root: values.root,
});
const all: Record<'quiet' | 'cleaning', Phase[]> = { quiet: [], cleaning: [] };
let days = Number(values.from);
await untilDone();
await ask(running, 3000);
for (let round = 1; round <= Number(values.rounds); round += 1) {
  all.quiet.push(await ask(running, measureMs));
  const rows = await deleted();
  const wal = await walAt();
  const began = performance.now();
  days -= Number(values.days);
  await storeSetting('auditRetentionDays', String(days), { type: 'setting.changed' }, new Date());
  while ((await deleted()) < rows + 500) await pause(100);
  const from = await deleted();
  const since = performance.now();
  all.cleaning.push(await ask(running, measureMs));
  const during = (await deleted()) - from;
  const seconds = (performance.now() - since) / 1000;
  const stillGoing = await untilDone();
  const gone = (await deleted()) - rows;
  const megabytes = ((await walAt()) - wal) / 1e6;
  console.log(
    `round ${round}, load ${readFileSync('/proc/loadavg', 'utf8').slice(0, 14)}: ${during} deleted in ${seconds.toFixed(1)} s` +
      `${stillGoing ? '' : ' (ALL OF THEM: more days have to be due)'}, ${gone} in all, ${((performance.now() - began) / 1000).toFixed(1)} s, ${megabytes.toFixed(0)} MB of WAL`,
  );
  for (const kind of Object.keys(kinds) as Kind[])
    console.log(
      `  ${kind}: ${shown(all.quiet.slice(-1), kind)} | ${shown(all.cleaning.slice(-1), kind)}`,
    );
}
console.log(
  '\n| | p50 | p99 | most | p50 while cleaning | p99 | most |\n|---|---:|---:|---:|---:|---:|---:|',
);
for (const kind of Object.keys(kinds) as Kind[])
  console.log(`| ${kind} | ${shown(all.quiet, kind)} | ${shown(all.cleaning, kind)} |`);
await running.stop();
await db.end();
await endWork();

async function ask({ target, process: { pid = 0 } }: Running, ms: number): Promise<Phase> {
  const asked = Object.entries(kinds).map(async ([kind, { script, everyMs, ...more }]) => {
    const of = 'of' in more ? more.of : null;
    const result = await drive({
      port: target.port,
      connections,
      warmUpMs: 500,
      measureMs: ms,
      pid,
      everyMs,
      script: (index) => timing(script(target)(index), of),
    });
    if (result.failures > 0) console.log(`${result.failures} of ${kind} FAILED: ${result.failure}`);
    return [kind, result.latencies];
  });
  return Object.fromEntries(await Promise.all(asked));
}

/** The same script, with only every third answer timed: the one at place `of`. */
function timing(script: Script, of: number | null): Script {
  if (of === null) return script;
  let step = 0;
  return {
    isTimed: () => step % 3 === of,
    next: (previous) => {
      step += 1;
      return script.next(previous);
    },
  };
}

function shown(phases: Phase[], kind: Kind): string {
  const latencies = phases.flatMap((phase) => phase[kind]);
  return [0.5, 0.99, 1].map((share) => quantile(latencies, share).toFixed(1)).join(' | ');
}

/**
 * The number of events deleted since the database was created. PostgreSQL reports it up to a second
 * late.
 */
async function deleted(): Promise<number> {
  const { rows } = await db.query(
    "SELECT n_tup_del FROM pg_stat_user_tables WHERE relname = 'audit_events'",
  );
  return Number(rows[0].n_tup_del);
}

/** Waits until no event is due. Returns whether there was anything to wait for. */
async function untilDone(): Promise<boolean> {
  for (let waited = 0; ; waited += 1) {
    const sql =
      "SELECT 1 FROM audit_events WHERE at < now() - $1 * interval '1 day' - interval '1 minute' LIMIT 1";
    const { rows } = await db.query(sql, [days]);
    // PostgreSQL reports deletions up to a second late.
    await pause(1500);
    if (rows.length === 0) return waited > 0;
  }
}

async function walAt(): Promise<number> {
  const { rows } = await db.query("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn AS at");
  return Number(rows[0].at);
}
