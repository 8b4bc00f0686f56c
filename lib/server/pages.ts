import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import { config } from '../config.ts';
import { notePages } from '../http/rendering.ts';
import { log } from '../telemetry/log.ts';
import { nameOwnPlaces } from './own-places.ts';
import { withoutNoise } from './quiet.ts';

type Next = {
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  close: () => Promise<void>;
};

/** Milliseconds after which what could not be loaded is tried again: nobody may be sent here meanwhile. */
const tryAgain = 10_000;

/** The pages have to be built before a server can answer with them. */
export class NotBuilt extends Error {}

/**
 * The pages, rendered by Next.js. A start does not wait for it: it is loaded when the first page is asked for, or by
 * `getReady`. The code of each page is loaded when that is asked for, which takes half a second and 30 MB for the first.
 */
export class Pages {
  #next: Promise<Next> | null = null;
  #retry: NodeJS.Timeout | null = null;

  /** The ids of the server actions of this build. */
  readonly actions: ReadonlySet<string>;

  /** @throws NotBuilt */
  constructor() {
    if (!existsSync(resolve('.next/BUILD_ID'))) throw new NotBuilt('There is no build.');
    this.actions = readActions();
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const next = await this.#load();
    return next.answer(request, response);
  }

  /** Loads what every page needs and no page alone, so that whoever opens the first one waits for less. */
  async getReady(): Promise<void> {
    // What is in the way has been noted, and is tried again.
    await this.#load().catch((error: unknown) => log().error({ err: error }, 'no pages'));
  }

  #load(): Promise<Next> {
    this.#next ??= load().then(
      (next) => {
        notePages(false);
        return next;
      },
      (error: unknown) => {
        this.#next = null;
        notePages(true);
        this.#tryAgainLater();
        throw error;
      },
    );
    return this.#next;
  }

  #tryAgainLater(): void {
    this.#retry ??= setTimeout(() => {
      this.#retry = null;
      this.#load().catch((error: unknown) => log().error({ err: error }, 'no pages'));
    }, tryAgain).unref();
  }

  async close(): Promise<void> {
    if (this.#retry) clearTimeout(this.#retry);
    const next = await this.#next?.catch(() => null);
    await next?.close();
  }
}

/** A build that lacks the list is broken: no page of it can be shown, and programs are still answered. */
function readActions(): ReadonlySet<string> {
  const list = resolve('.next/server/server-reference-manifest.json');
  if (!existsSync(list)) return new Set();
  const text = readFileSync(list, 'utf8');
  return new Set(Object.keys((JSON.parse(text) as { node: object }).node));
}

async function load(): Promise<Next> {
  const { default: next } = await import('next');
  const { host: hostname, port } = config();
  const app = next({
    dev: false,
    dir: process.cwd(),
    hostname,
    port,
    // Next.js attaches an upgrade listener to the server it is given and ends every connection that
    // requests an upgrade. It gets a server that never listens; ours ignores upgrades (RFC 9110
    // section 7.8).
    httpServer: createServer(),
  });
  await withoutNoise(() => app.prepare());
  // Next.js writes stacks in its own way from here on.
  nameOwnPlaces();
  return { answer: app.getRequestHandler(), close: () => app.close() };
}
