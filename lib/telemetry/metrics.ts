import type {
  Counter,
  Gauge,
  Histogram,
  Metric,
  MetricObjectWithValues,
  MetricValue,
  OpenMetricsContentType,
  Registry,
} from 'prom-client';
import { config } from '../config.ts';
import { once } from '../once.ts';

/** Seconds. Most requests take less than a millisecond, a sign-in about a hundred. */
const requestBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const commitBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5];
const groupBuckets = [1, 2, 5, 10, 25, 50, 100, 250, 500];

/** How a request ended, as far as a monitor wants to know. */
export type RequestOutcome = 'ok' | 'refused' | 'failed';

type MetricFamily = MetricObjectWithValues<MetricValue<string>>;

/** What this process measures of itself. Labels come from lists of ours, never from a request. */
export class Meter {
  /** Which of several workers this process is. */
  place: string | null = null;
  /** Asks the other workers for their part. */
  others: () => Promise<unknown[]> = async () => [];
  readonly registry: Registry<OpenMetricsContentType>;
  readonly #requests: Histogram<'endpoint' | 'outcome'>;
  readonly #refusals: Counter<'code' | 'rule'>;
  readonly #tokens: Counter<'grant'>;
  readonly #events: Counter<'event'>;
  readonly #lookups: Counter<'cache' | 'result'>;
  readonly #commits: Histogram;
  readonly #groups: Histogram;
  readonly #rows: Gauge<'table'>;
  readonly #waiting: Gauge<'queue'>;
  readonly #backupAge: Gauge;

  readonly #client: typeof import('prom-client');

  constructor(client: typeof import('prom-client')) {
    this.#client = client;
    this.registry = new client.Registry<OpenMetricsContentType>();
    this.registry.setContentType(client.Registry.OPENMETRICS_CONTENT_TYPE);
    const registers = [this.registry];
    client.collectDefaultMetrics({ register: this.registry });
    this.#requests = new client.Histogram({
      name: 'gatehouse_request_duration_seconds',
      help: 'How long requests took, by endpoint and by how they ended.',
      labelNames: ['endpoint', 'outcome'],
      buckets: requestBuckets,
      registers,
    });
    this.#commits = new client.Histogram({
      name: 'gatehouse_commit_duration_seconds',
      help: 'How long a commit to SQLite took, until it was on disk.',
      buckets: commitBuckets,
      registers,
    });
    this.#groups = new client.Histogram({
      name: 'gatehouse_commit_writes',
      help: 'How many writes shared a commit to SQLite.',
      buckets: groupBuckets,
      registers,
    });
    const gauge = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
      new client.Gauge({ name, help, labelNames, registers });
    this.#rows = gauge(
      'gatehouse_table_rows',
      'Rows by table; 100000 stands for that many or more.',
      ['table'],
    );
    this.#waiting = gauge('gatehouse_queue_due', 'What is due and has not been done, by queue.', [
      'queue',
    ]);
    this.#backupAge = gauge(
      'gatehouse_backup_age_seconds',
      'Seconds since the last scheduled backup was made; +Inf where none has been.',
      [],
    );
    this.setBackupAge(null);
    const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
      new client.Counter({ name, help, labelNames, registers });
    this.#refusals = counter(
      'gatehouse_refusals',
      'Refused requests, by error code and by the rule that refused.',
      ['code', 'rule'],
    );
    this.#tokens = counter('gatehouse_tokens', 'Successful token requests, by grant type.', [
      'grant',
    ]);
    this.#events = counter(
      'gatehouse_events',
      'Events of the audit log, by type: sign-ins, throttled accounts, changes.',
      ['event'],
    );
    this.#lookups = counter('gatehouse_cache_lookups', 'Look-ups in caches, by result.', [
      'cache',
      'result',
    ]);
  }

  request(endpoint: string, outcome: RequestOutcome, seconds: number): void {
    this.#requests.observe({ endpoint, outcome }, seconds);
  }

  refused(code: string, rule: string): void {
    this.#refusals.inc({ code, rule });
  }

  tokens(grant: string): void {
    this.#tokens.inc({ grant });
  }

  /** Events that are counted from 0: where the first one is the first count, no alert sees it as an increase. */
  mayHappen(events: readonly string[]): void {
    for (const event of events) this.#events.inc({ event }, 0);
  }

  happened(event: string): void {
    this.#events.inc({ event });
  }

  lookedUp(cache: 'access-tokens' | 'configuration', found: boolean): void {
    this.#lookups.inc({ cache, result: found ? 'hit' : 'miss' });
  }

  committed(writes: number, seconds: number): void {
    this.#groups.observe(writes);
    this.#commits.observe(seconds);
  }

  /** Replaces what was counted in the database before. */
  setGauges(counted: { rows: Record<string, number>; waiting: Record<string, number> }): void {
    this.#rows.reset();
    this.#waiting.reset();
    for (const [table, count] of Object.entries(counted.rows)) this.#rows.set({ table }, count);
    for (const [queue, count] of Object.entries(counted.waiting))
      this.#waiting.set({ queue }, count);
  }

  /** Seconds since the last scheduled backup, Infinity before the first; null: none are scheduled, and nothing is told. */
  setBackupAge(seconds: number | null): void {
    if (seconds === null) this.#backupAge.remove();
    else this.#backupAge.set(seconds);
  }

  /** What this process measures, for another worker that is asked for all. */
  async part(place: string): Promise<unknown> {
    return labelled(await this.registry.getMetricsAsJSON(), place, false);
  }

  /** Everything, in the OpenMetrics format: of this process, or of all workers by their place. */
  async tell(): Promise<string> {
    if (this.place === null) return this.registry.metrics();
    const own = labelled(await this.registry.getMetricsAsJSON(), this.place, true);
    const all = new this.#client.Registry<OpenMetricsContentType>();
    all.setContentType(this.#client.Registry.OPENMETRICS_CONTENT_TYPE);
    for (const family of joined([own, ...((await this.others()) as MetricFamily[][])]))
      all.registerMetric({ ...family, get: async () => family } as unknown as Metric);
    return all.metrics();
  }
}

/** Each family once, with the values of all parts. */
function joined(parts: MetricFamily[][]): MetricFamily[] {
  const families = new Map<string, MetricFamily>();
  for (const family of parts.flat()) {
    const known = families.get(family.name);
    if (known) known.values.push(...family.values);
    else families.set(family.name, { ...family, values: [...family.values] });
  }
  return [...families.values()];
}

/** What is the same for all workers. */
const ofAll = ['gatehouse_table_rows', 'gatehouse_queue_due', 'gatehouse_backup_age_seconds'];

/** Each value with the label `worker`, but those that are the same for all: with the asker they are told once. */
function labelled(families: MetricFamily[], place: string, isAsker: boolean): MetricFamily[] {
  const kept = isAsker ? families : families.filter(({ name }) => !ofAll.includes(name));
  return kept.map((family) => {
    if (ofAll.includes(family.name)) return family;
    // The format adds the ending of a counter; a family that was told once already keeps it.
    const name = family.name.replace(/_total$/, '');
    const values = family.values.map((value) => ({
      ...value,
      labels: { ...value.labels, worker: place },
    }));
    return { ...family, name, values };
  });
}

const state = () => once('metrics', (): { meter: Meter | null } => ({ meter: null }));

/** The meter of this process; null while nobody has asked for metrics. */
export const metrics = (): Meter | null => state().meter;

/** Starts measuring, if the operator wants metrics. What measures is loaded only then. */
export async function startMetrics(): Promise<Meter | null> {
  const held = state();
  if (held.meter || !config().metrics) return held.meter;
  const client = await import('prom-client');
  held.meter ??= new Meter('default' in client ? (client.default as typeof client) : client);
  return held.meter;
}
