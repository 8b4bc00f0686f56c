import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type Mail, parseMail } from './mime.ts';
import type { Mood, Said } from './smtp-process.ts';

const patience = 15_000;

/** A mail server in its own process, with the mails it has received. */
export class MailServer {
  readonly #child: ChildProcess;
  readonly port: number;
  readonly mails: Mail[] = [];
  /** How many recipients it has turned away. */
  turnedAway = 0;
  readonly #watchers = new Set<() => void>();

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
    child.on('message', (said: Said) => {
      if ('raw' in said) this.mails.push(parseMail(said));
      if ('turnedAway' in said) this.turnedAway += 1;
      for (const look of this.#watchers) look();
    });
  }

  static async start(port = 0): Promise<MailServer> {
    const child = fork(new URL('./smtp-process.ts', import.meta.url), [String(port)], {
      execArgv: [],
    });
    const [said] = (await once(child, 'message')) as [{ port: number }];
    return new MailServer(child, said.port);
  }

  /** Its address, with a user and a password that need escaping. */
  get url(): string {
    return `smtp://gatehouse:p%40ss%2Fword@127.0.0.1:${this.port}`;
  }

  /** Makes it look newly started. */
  beginAnew(): void {
    this.mails.length = 0;
    this.turnedAway = 0;
    this.mood('takes');
  }

  mood(mood: Mood): void {
    this.#child.send(mood);
  }

  /** Resolves as soon as `isSo` is true. @throws Error when it takes too long */
  until(isSo: () => boolean, what: string): Promise<void> {
    if (isSo()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const end = (finish: () => void) => {
        clearTimeout(timer);
        this.#watchers.delete(look);
        finish();
      };
      const look = () => isSo() && end(resolve);
      const timer = setTimeout(() => {
        const had = this.mails.map(({ to, subject }) => `${to}: ${subject}`).join('\n');
        end(() => reject(new Error(`${what} did not happen. There were:\n${had}`)));
      }, patience);
      this.#watchers.add(look);
    });
  }

  /** Waits for the next mail to an address that no earlier call has returned. */
  async next(to: string, subject: RegExp = /./): Promise<Mail> {
    const find = () =>
      this.mails.find((mail) => !mail.read && mail.to.includes(to) && subject.test(mail.subject));
    await this.until(() => find() !== undefined, `A mail to ${to} with ${subject}`);
    const mail = find();
    if (!mail) throw new Error('It was there a moment ago.');
    mail.read = true;
    return mail;
  }

  to(address: string): Mail[] {
    return this.mails.filter((mail) => mail.to.includes(address));
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill();
    await ended;
  }
}
