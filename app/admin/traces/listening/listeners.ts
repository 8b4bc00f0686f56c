import type { HttpResponse } from '#lib/http/message.ts';
import { isAdminRefusal } from '#lib/management/is-refusal.ts';
import { digest } from '#lib/oauth/secrets.ts';
import { once } from '#lib/once.ts';
import { log } from '#lib/telemetry/log.ts';

/** The limits on listeners in one process. Times are in milliseconds. */
export const bounds = {
  all: 100,
  /** The maximum number of pages per session; one more, and the oldest is sent away. */
  ofSession: 3,
  life: 5 * 60_000,
  every: 1000,
  /** After a longer silence proxies close the connection, and a lost client goes unnoticed. */
  beat: 15_000,
};

type Listener = {
  session: string;
  serial: number;
  /** Whether the page may still be sent anything. */
  admits: () => Promise<boolean>;
  controller: ReadableStreamDefaultController<Uint8Array>;
  told: string;
  toldAt: number;
  endsAt: number;
};

/** All pages that listen to one app in one language; a single read of the database serves them. */
type Audience = { listeners: Set<Listener>; read: () => Promise<unknown> };

const state = () => once('listeners', () => ({ byClient: new Map<string, Audience>(), serial: 0 }));

/** The maximum number of bytes waiting for a slow page. */
const highWaterMark = 32 * 1024;
const bytes = new TextEncoder();

/** An ID by which a page knows whether it already shows this news. */
export const newsId = (news: unknown) => digest(JSON.stringify(news));

export function countListeners(): number {
  let count = 0;
  for (const { listeners } of state().byClient.values()) count += listeners.size;
  return count;
}

/**
 * Answers with server-sent events: the result of `read`, whenever it differs from what the page was
 * last sent. Null if there are too many listeners already.
 * @param client the app and the language; `read` is called once for all who listen to the same
 */
export function listenTo(
  client: string,
  read: () => Promise<unknown>,
  { session, admits }: Pick<Listener, 'session' | 'admits'>,
): HttpResponse | null {
  sendOldestAway(session);
  if (countListeners() >= bounds.all) return null;
  let leave = () => {};
  const source: UnderlyingDefaultSource<Uint8Array> = {
    start: (controller) => {
      leave = join(client, read, { session, admits, controller });
    },
    cancel: () => leave(),
  };
  const stream = new ReadableStream(source, new ByteLengthQueuingStrategy({ highWaterMark }));
  const headers = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    // Nginx would otherwise buffer the events.
    'x-accel-buffering': 'no',
  };
  return { status: 200, headers, stream };
}

/**
 * A browser opens only six connections to a server, and listening pages must not use all of them.
 */
function sendOldestAway(session: string): void {
  const own = [...state().byClient].flatMap(([client, { listeners }]) =>
    [...listeners].filter((one) => one.session === session).map((one) => ({ client, one })),
  );
  if (own.length < bounds.ofSession) return;
  const [oldest] = own.sort((a, b) => a.one.serial - b.one.serial);
  if (!oldest) return;
  write(oldest.one, 'event: elsewhere\ndata: {}\n\n');
  end(oldest.client, oldest.one);
}

function join(
  client: string,
  read: Audience['read'],
  asked: Pick<Listener, 'session' | 'admits' | 'controller'>,
): () => void {
  const { byClient } = state();
  const now = Date.now();
  state().serial += 1;
  const times = { serial: state().serial, toldAt: now, endsAt: now + bounds.life };
  const listener: Listener = { ...asked, ...times, told: '' };
  // Makes the page reconnect by itself after this many milliseconds.
  write(listener, 'retry: 2000\n\n');
  const audience = byClient.get(client) ?? { listeners: new Set(), read };
  audience.listeners.add(listener);
  if (!byClient.has(client)) {
    byClient.set(client, audience);
    void tellAll(client, audience);
  }
  return () => remove(client, listener);
}

function remove(client: string, listener: Listener): void {
  const audience = state().byClient.get(client);
  audience?.listeners.delete(listener);
  if (audience?.listeners.size === 0) state().byClient.delete(client);
}

function end(client: string, listener: Listener): void {
  remove(client, listener);
  try {
    listener.controller.close();
  } catch {
    // The page has already gone.
  }
}

/** Reads once and sends it to everyone, then repeats while anyone is listening. */
async function tellAll(client: string, audience: Audience): Promise<void> {
  const news = await readNews(audience);
  const now = Date.now();
  for (const listener of [...audience.listeners]) await tell(client, listener, news, now);
  if (audience.listeners.size === 0) return;
  setTimeout(() => void tellAll(client, audience), bounds.every).unref();
}

/** Null if there is nothing left to read; '' if it can't be read now. */
async function readNews({ read }: Audience): Promise<string | null> {
  try {
    return JSON.stringify(await read());
  } catch (error) {
    if (isAdminRefusal(error)) return null;
    log().warn({ reason: (error as Error).message }, 'listeners could not be told');
    return '';
  }
}

async function tell(
  client: string,
  listener: Listener,
  news: string | null,
  now: number,
): Promise<void> {
  const { told, toldAt, endsAt, admits } = listener;
  const isSilent = now - toldAt >= bounds.beat;
  const isNew = news !== '' && news !== told;
  if (news === null || now >= endsAt) return end(client, listener);
  if (!isNew && !isSilent) return;
  if (!(await admits().catch(() => false))) return end(client, listener);
  // The page hasn't taken what was sent: it gets everything later in one message, or it is gone.
  if ((listener.controller.desiredSize ?? 0) <= 0) {
    if (isSilent) end(client, listener);
    return;
  }
  write(listener, isNew ? `id: ${digest(news)}\ndata: ${news}\n\n` : ': still here\n\n');
  listener.toldAt = now;
  if (isNew) listener.told = news;
}

function write({ controller }: Listener, text: string): void {
  try {
    controller.enqueue(bytes.encode(text));
  } catch {
    // The page has already gone.
  }
}
