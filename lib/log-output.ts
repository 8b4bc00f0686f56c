import { write, writeSync } from 'node:fs';

/** So much may wait for a reader that is slow or a disk that is full, in characters. */
const mostWaiting = 1024 * 1024;
const retryAfter = 50;

/**
 * Where lines of the log go. Nothing that happens there reaches whoever logs: a line that cannot be
 * written is dropped and counted, a reader who has stopped reading is not waited for, and the
 * first line that can be written again is followed by the number of those that could not.
 */
export class LogOutput {
  readonly #descriptor: number;
  #waiting: string[] = [];
  #size = 0;
  #writing = false;
  #dropped = 0;
  #inMidLine = false;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** How many lines have been dropped since the last one that was told of. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Takes a line with its end. Never throws and never waits. */
  write(line: string): void {
    if (this.#size + line.length > mostWaiting) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push(line);
    this.#size += line.length;
    if (!this.#writing) this.#next();
  }

  /** Writes what is waiting, as far as it can be written at once; for the end of a process. */
  flush(): void {
    try {
      for (const line of this.#take()) writeSync(this.#descriptor, line);
    } catch {
      // Nobody is left to be told.
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
    if (!this.#writing) return;
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
