import { write, writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** The maximum number of characters buffered for a slow reader or a full disk. */
const mostWaiting = 1024 * 1024;
const retryAfter = 50;

/**
 * The output of the log. Failures never reach the code that logs. A line that cannot be written is
 * dropped and counted, and a stalled reader does not block. The first line that gets through again
 * is followed by the number of dropped lines.
 */
export class LogOutput {
  readonly #descriptor: number;
  #waiting: string[] = [];
  #size = 0;
  #writing = false;
  #dropped = 0;
  #inMidLine = false;
  #whenWritten: (() => void)[] = [];

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** Lines dropped since the last report. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Accepts a line with its line end. Never throws, never waits. */
  write(line: string): void {
    if (this.#size + line.length > mostWaiting) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push(line);
    this.#size += line.length;
    if (!this.#writing) this.#next();
  }

  /** Waits until all lines have been written, for at most `most` milliseconds. */
  async written(most: number): Promise<void> {
    if (!this.#writing) return;
    const isWritten = new Promise<void>((done) => this.#whenWritten.push(done));
    const over = new AbortController();
    const late = pause(most, undefined, { signal: over.signal }).catch(() => {});
    await Promise.race([isWritten, late]);
    over.abort();
  }

  /** Writes all waiting lines synchronously; called at process exit. */
  flush(): void {
    try {
      for (const line of this.#take()) writeSync(this.#descriptor, line);
    } catch {
      // No one is left to report to.
    }
  }

  #take(): string[] {
    const lines = this.#waiting;
    this.#waiting = [];
    this.#size = 0;
    return lines;
  }

  #next(): void {
    const lines = this.#take();
    this.#writing = lines.length > 0;
    if (!this.#writing) {
      for (const done of this.#whenWritten.splice(0)) done();
      return;
    }
    const bytes = Buffer.from(`${this.#inMidLine ? '\n' : ''}${lines.join('')}`);
    this.#send(bytes, lines.length);
  }

  #send(bytes: Buffer, lines: number): void {
    write(this.#descriptor, bytes, (error, written) => {
      if (error?.code === 'EAGAIN')
        return void setTimeout(() => this.#send(bytes, lines), retryAfter).unref();
      if (error) {
        this.#dropped += lines;
        return this.#next();
      }
      this.#inMidLine = written < bytes.length;
      if (this.#inMidLine) return this.#send(bytes.subarray(written), lines);
      this.#tellOfDropped();
      this.#next();
    });
  }

  #tellOfDropped(): void {
    if (this.#dropped === 0) return;
    const line = { level: 40, dropped: this.#dropped, msg: 'log lines could not be written' };
    this.#dropped = 0;
    this.#waiting.unshift(`${JSON.stringify(line)}\n`);
  }
}
