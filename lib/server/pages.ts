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

/**
 * Milliseconds after which a failed load is tried again. Page requests alone might not trigger it,
 * because a load balancer sends none to a server that is not ready.
 */
const tryAgain = 10_000;

/** Thrown if the pages have not been built. */
export class NotBuilt extends Error {}

/**
 * The pages, rendered by Next.js. The start does not wait for Next.js: it is loaded when the first
 * page is requested, or by `getReady`. The code of each page is loaded when that page is requested,
 * which takes half a second and 30 MB for the first.
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

  /** Loads what all pages share, but no single page, so that the first visitor waits for less. */
  async getReady(): Promise<void> {
    // A failure has been recorded, and loading is tried again.
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

/** A build without the list shows no page, but programs are still answered. */
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
    // Next.js attaches an upgrade listener to the server it is given, and ends every connection
    // that requests an upgrade. So it gets a server that never listens; ours ignores upgrades (RFC
    // 9110 section 7.8).
    httpServer: createServer(),
  });
  await withoutNoise(() => app.prepare());
  // Loading Next.js has replaced the formatting of stack traces.
  nameOwnPlaces();
  return { answer: app.getRequestHandler(), close: () => app.close() };
}
