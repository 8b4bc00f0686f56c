import { createHash, randomBytes } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import { csrfOf } from '#lib/sealed/browser.ts';
import { cookieName } from '#lib/sealed/cookies.ts';
import type { Server } from '../../../support/server.ts';
import type { Outcome } from './history.ts';

/** An answer as the client sees it. */
export type Answer = { status: number; body: string; location: string; cookies: readonly string[] };

/** The longest that any answer may take, whatever happens to the database. In milliseconds. */
export const longestAnswer = 30_000;

/** Reports answers that mean neither done nor refused, such as those of a server that failed. */
type Odd = (what: string) => void;

/** Sends requests to one server, over connections that it keeps. */
export class Door {
  readonly serverProcess: Server;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 100 });
  slowest = 0;
  asked = 0;

  constructor(server: Server) {
    this.serverProcess = server;
  }

  /** @throws when the connection breaks, or no answer comes in time */
  async ask(path: string, headers: Record<string, string>, body?: string): Promise<Answer> {
    const before = performance.now();
    const answer = await this.#send(path, headers, body);
    this.asked += 1;
    this.slowest = Math.max(this.slowest, performance.now() - before);
    return answer;
  }

  #send(path: string, headers: Record<string, string>, body?: string): Promise<Answer> {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const type = body === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' };
    return new Promise((resolve, reject) => {
      const request = httpRequest({
        host: '127.0.0.1',
        port: this.serverProcess.port,
        path,
        method: body === undefined ? 'GET' : 'POST',
        agent: this.#agent,
        headers: { ...headers, ...length, ...type },
        timeout: longestAnswer,
      });
      request.on('timeout', () => request.destroy(new Error('no answer')));
      request.on('error', reject).on('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('error', reject).on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            body: text,
            location: response.headers.location ?? '',
            cookies: response.headers['set-cookie'] ?? [],
          }),
        );
      });
      request.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** A name for a secret. */
export const nameOf = (secret: string): string =>
  createHash('sha256').update(secret).digest('base64url').slice(0, 12);

/**
 * The outcome that an answer's status means: done, refused, or unknown. 503 leaves it open; any
 * other status is odd.
 */
export function outcomeOf(
  { status, body }: Answer,
  [done, refused]: readonly [done: number, refused: number],
  odd: Odd,
): Outcome {
  if (status === done) return 'done';
  if (status === refused) return 'refused';
  if (status !== 503) odd(`${status}: ${body.slice(0, 200)}`);
  return 'unknown';
}

/** A browser in which no one is signed in. */
export function newBrowser(): Map<string, string> {
  return new Map([[cookieName('browser'), randomBytes(32).toString('base64url')]]);
}

/** The CSRF token in the forms of our pages. */
export const csrfIn = (cookies: ReadonlyMap<string, string>): string =>
  csrfOf(cookies.get(cookieName('browser')) ?? '');

export const cookiesOf = (cookies: ReadonlyMap<string, string>): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

/** Keeps the cookies that an answer sets. */
export function keepCookies(cookies: Map<string, string>, { cookies: set }: Answer): void {
  for (const cookie of set) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (/max-age=0\b/i.test(cookie)) cookies.delete(name);
    else cookies.set(name, value);
  }
}
