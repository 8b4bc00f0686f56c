import { Worker } from 'node:worker_threads';
import { metrics } from '../../telemetry/metrics.ts';
import { orAway } from './away.ts';
import { noteWriteFailed, noteWritten } from './health.ts';
import { withQuestionMarks } from './parameters.ts';
import { bindAll } from './sqlite-connection.ts';
import type { DatabaseFile } from './sqlite-file.ts';
import type { Failure, Outcome, PostedUnit, Unit } from './sqlite-writer.ts';
import type { Row } from './statement.ts';

type Numbered = PostedUnit[number] & { sql: string };

type Waiting = {
  unit: Numbered[];
  resolve: (rows: Row[]) => void;
  reject: (error: unknown) => void;
  deadline: number;
};

/** Milliseconds that a write waits for another process's lock before it gives up. */
const busyLimit = 5000;
const unitsPerCommit = 500;

/**
 * The writes of this process to SQLite. A thread commits them; writes that arrive meanwhile share
 * the next transaction. While another process holds the lock, they are retried after pauses, so
 * that nothing is blocked.
 */
export class WriteQueue {
  readonly #path: string;
  readonly #file: DatabaseFile;
  /** The statements of this process, each with a number. */
  readonly #numbers = new Map<string, { number: number; holes: string[] }>();
  /** Those whose text the thread already has. */
  readonly #told = new Set<number>();
  #thread: Worker | null = null;
  #waiting: Waiting[] = [];
  #sent: Waiting[] | null = null;
  #scheduled = false;
  #closed = false;
  #pause = 1;
  #sentAt = 0;

  constructor(path: string, file: DatabaseFile) {
    this.#path = path;
    this.#file = file;
  }

  /** Runs a unit in a transaction and gives the rows of its first statement once it is on disk. */
  write(unit: Unit): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(new Error('The database is closed.'));
      const numbered = unit.map((statement) => this.#numbered(statement));
      this.#waiting.push({ unit: numbered, resolve, reject, deadline: Date.now() + busyLimit });
      if (this.#sent || this.#scheduled) return;
      this.#scheduled = true;
      setImmediate(() => this.#send());
    });
  }

  #numbered({ sql, params, must }: Unit[number]): Numbered {
    let known = this.#numbers.get(sql);
    if (!known) {
      known = { number: this.#numbers.size, holes: withQuestionMarks(sql).holes };
      this.#numbers.set(sql, known);
    }
    const numbered: Numbered = { number: known.number, sql, values: bindAll(known.holes, params) };
    if (must) numbered.must = must;
    return numbered;
  }

  /** Omits the texts that the thread already has. */
  #posted(unit: Numbered[]): PostedUnit {
    return unit.map((statement) => {
      if (!this.#told.has(statement.number)) return statement;
      const { number, values, must } = statement;
      return must ? { number, values, must } : { number, values };
    });
  }

  #send(): void {
    this.#scheduled = false;
    if (this.#waiting.length === 0) return void this.#thread?.unref();
    this.#sent = this.#waiting.splice(0, unitsPerCommit);
    try {
      this.#file.check();
      const thread = this.#startedThread();
      this.#sentAt = performance.now();
      thread.ref();
      thread.postMessage(this.#sent.map(({ unit }) => this.#posted(unit)));
      for (const { unit } of this.#sent) for (const { number } of unit) this.#told.add(number);
    } catch (error) {
      for (const { reject } of this.#sent) reject(unwritten(error));
      this.#sent = null;
      this.#sendSoon(0);
    }
  }

  #startedThread(): Worker {
    if (this.#thread) return this.#thread;
    const thread = new Worker(new URL('./sqlite-writer.ts', import.meta.url), {
      // It must be an object: the bundler of Next.js adds to it, and drops any other value.
      workerData: { path: this.#path },
    });
    thread.on('message', (outcomes: Outcome[]) => this.#take(outcomes));
    thread.on('error', endWithThread);
    thread.on('exit', (code) => {
      if (this.#thread === thread) endWithThread(new Error(`code ${code}`));
    });
    this.#thread = thread;
    return thread;
  }

  #sendSoon(pause: number): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    if (pause === 0) setImmediate(() => this.#send());
    else setTimeout(() => this.#send(), pause);
  }

  #take(outcomes: Outcome[]): void {
    const sent = this.#sent ?? [];
    this.#sent = null;
    metrics()?.committed(sent.length, (performance.now() - this.#sentAt) / 1000);
    const again: Waiting[] = [];
    for (const [index, waiting] of sent.entries()) {
      const outcome = outcomes[index];
      if (outcome && 'rows' in outcome) waiting.resolve(outcome.rows);
      else if (outcome && 'failed' in outcome) waiting.reject(unwritten(errorOf(outcome.failed)));
      else if (waiting.deadline > Date.now()) again.push(waiting);
      // A lock that was not obtained in time says nothing about the next write.
      else waiting.reject(orAway(errorOf(outcome?.locked)));
    }
    if (outcomes.some((outcome) => 'rows' in outcome)) noteWritten();
    this.#waiting.unshift(...again);
    this.#pause = again.length > 0 ? Math.min(this.#pause * 2, 50) : 1;
    if (again.length === 0) this.#send();
    else this.#sendSoon(this.#pause * (0.5 + Math.random()));
  }

  /** Finishes the waiting writes, and ends the thread. */
  async close(): Promise<void> {
    this.#closed = true;
    while (this.#sent || this.#scheduled) await new Promise((resume) => setTimeout(resume, 1));
    const thread = this.#thread;
    this.#thread = null;
    if (!thread) return;
    thread.ref();
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    thread.postMessage('close');
    await ended;
  }
}

function errorOf(failure: Failure | undefined): Error {
  return Object.assign(new Error(failure?.message), { code: failure?.code });
}

/**
 * Ends the process, because no one can tell whether the thread's last transaction is on disk. None
 * of it has been acknowledged, and the restarted process reads what is there.
 */
function endWithThread(reason: Error): never {
  console.error(
    `The thread that writes to the database ended (${reason.message}), so this process does.`,
  );
  process.exit(1);
}

/** The error for a write that failed. */
function unwritten(error: unknown): unknown {
  const failure = orAway(error);
  noteWriteFailed(failure);
  return failure;
}
