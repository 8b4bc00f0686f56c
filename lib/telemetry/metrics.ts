import type {
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

/** The outcome of a request, as far as monitoring is concerned. */
export type RequestOutcome = 'ok' | 'refused' | 'failed';

type MetricFamily = MetricObjectWithValues<MetricValue<string>>;

/** Labels come from fixed lists, never from a request. */
export class Meter {
  /** The position of this process among several workers. */
  place: string | null = null;
  /** Asks the other workers for their measurements. */
  others: () => Promise<unknown[]> = async () => [];
  readonly registry: Registry<OpenMetricsContentType>;
  readonly #measures: ReturnType<typeof measuresIn>;
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
    this.registry = new client.Registry<OpenMetricsContentType>();
    this.registry.setContentType(client.Registry.OPENMETRICS_CONTENT_TYPE);
    client.collectDefaultMetrics({ register: this.registry });
    this.#measures = measuresIn(client, [this.registry]);
    this.setBackupAge(null);
  }

  request(endpoint: string, outcome: RequestOutcome, seconds: number): void {
    this.#measures.requests.observe({ endpoint, outcome }, seconds);
  }

  refused(code: string, rule: string): void {
    this.#measures.refusals.inc({ code, rule });
  }

  tokens(grant: string): void {
    this.#measures.tokens.inc({ grant });
  }

  /** Counts them from 0: no alert would see an increase to the first 1. */
  mayHappen(events: readonly string[]): void {
    for (const event of events) this.#measures.events.inc({ event }, 0);
  }

  happened(event: string): void {
    this.#measures.events.inc({ event });
  }

  lookedUp(cache: 'access-tokens' | 'configuration', found: boolean): void {
    this.#measures.lookups.inc({ cache, result: found ? 'hit' : 'miss' });
  }

  committed(writes: number, seconds: number): void {
    this.#measures.groups.observe(writes);
    this.#measures.commits.observe(seconds);
  }

  /** Replaces the earlier counts from the database. */
  setGauges(counted: { rows: Record<string, number>; waiting: Record<string, number> }): void {
    this.#measures.rows.reset();
    this.#measures.waiting.reset();
    for (const [table, count] of Object.entries(counted.rows))
      this.#measures.rows.set({ table }, count);
    for (const [queue, count] of Object.entries(counted.waiting))
      this.#measures.waiting.set({ queue }, count);
  }

  /** Infinity before the first; null if none are scheduled: the metric is left out. */
  setBackupAge(seconds: number | null): void {
    if (seconds === null) this.#measures.backupAge.remove();
    else this.#measures.backupAge.set(seconds);
  }

  /** How many passwords wait in each lane of this process. */
  setPasswords(waiting: Readonly<Record<string, number>>): void {
    for (const [lane, count] of Object.entries(waiting))
      this.#measures.passwords.set({ lane }, count);
  }

  /** The measurements of this process, for another worker that collects all of them. */
  async part(place: string): Promise<unknown> {
    return labelled(await this.registry.getMetricsAsJSON(), place, false);
  }

  /**
   * All measurements in the OpenMetrics format: of this process, or of all workers by their
   * position.
   */
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

type Client = typeof import('prom-client');
type Registers = Registry<OpenMetricsContentType>[];

/** What is measured, in the order in which it is told. */
const measuresIn = (client: Client, registers: Registers) => ({
  ...histogramsIn(client, registers),
  ...gaugesIn(client, registers),
  ...countersIn(client, registers),
});

function histogramsIn(client: Client, registers: Registers) {
  const histogram = <Label extends string>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: Label[] = [],
  ) => new client.Histogram({ name, help, labelNames, buckets, registers });
  return {
    requests: histogram(
      'gatehouse_request_duration_seconds',
      'How long requests took, by endpoint and by how they ended.',
      requestBuckets,
      ['endpoint', 'outcome'],
    ),
    commits: histogram(
      'gatehouse_commit_duration_seconds',
      'How long a commit to SQLite took, until it was on disk.',
      commitBuckets,
    ),
    groups: histogram(
      'gatehouse_commit_writes',
      'How many writes shared a commit to SQLite.',
      groupBuckets,
    ),
  };
}

function gaugesIn(client: Client, registers: Registers) {
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new client.Gauge({ name, help, labelNames, registers });
  return {
    rows: gauge('gatehouse_table_rows', 'Rows by table; 100000 stands for that many or more.', [
      'table',
    ]),
    waiting: gauge('gatehouse_queue_due', 'What is due and has not been done, by queue.', [
      'queue',
    ]),
    backupAge: gauge(
      'gatehouse_backup_age_seconds',
      'Seconds since the last scheduled backup was made; +Inf where none has been.',
      [],
    ),
    passwords: gauge(
      'gatehouse_passwords_waiting',
      'Passwords that wait to be checked or hashed, by lane.',
      ['lane'],
    ),
  };
}

function countersIn(client: Client, registers: Registers) {
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new client.Counter({ name, help, labelNames, registers });
  return {
    refusals: counter(
      'gatehouse_refusals',
      'Refused requests, by error code and by the rule that refused.',
      ['code', 'rule'],
    ),
    tokens: counter('gatehouse_tokens', 'Successful token requests, by grant type.', ['grant']),
    events: counter(
      'gatehouse_events',
      'Events of the audit log, by type: sign-ins, throttled accounts, changes.',
      ['event'],
    ),
    lookups: counter('gatehouse_cache_lookups', 'Look-ups in caches, by result.', [
      'cache',
      'result',
    ]),
  };
}

/** Each family once, with the values of all workers. */
function joined(parts: MetricFamily[][]): MetricFamily[] {
  const families = new Map<string, MetricFamily>();
  for (const family of parts.flat()) {
    const known = families.get(family.name);
    if (known) known.values.push(...family.values);
    else families.set(family.name, { ...family, values: [...family.values] });
  }
  return [...families.values()];
}

/** Metrics that are the same for all workers. */
const ofAll = ['gatehouse_table_rows', 'gatehouse_queue_due', 'gatehouse_backup_age_seconds'];

/** Those that are the same for all are reported only by the collecting worker. */
function labelled(families: MetricFamily[], place: string, isAsker: boolean): MetricFamily[] {
  const kept = isAsker ? families : families.filter(({ name }) => !ofAll.includes(name));
  return kept.map((family) => {
    if (ofAll.includes(family.name)) return family;
    // The format adds the suffix of a counter, but a family that was already exported still has it.
    const name = family.name.replace(/_total$/, '');
    const values = family.values.map((value) => ({
      ...value,
      labels: { ...value.labels, worker: place },
    }));
    return { ...family, name, values };
  });
}

const state = () => once('metrics', (): { meter: Meter | null } => ({ meter: null }));

/** The meter of this process; null until metrics have been started. */
export const metrics = (): Meter | null => state().meter;

/** Starts measuring, if the operator wants metrics. The library is loaded only then. */
export async function startMetrics(): Promise<Meter | null> {
  const held = state();
  if (held.meter || !config().metrics) return held.meter;
  const client = await import('prom-client');
  held.meter ??= new Meter('default' in client ? (client.default as typeof client) : client);
  return held.meter;
}
