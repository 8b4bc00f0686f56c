import type { Sender } from '../http/network.ts';
import { type Fetched, FetchFailed, fetchDocument } from '../http/outgoing.ts';
import { provesByAssertion } from '../oauth/client-auth-methods.ts';
import {
  type DocumentContent,
  type DocumentFault,
  documentHost,
  freshSeconds,
  readClientDocument,
} from '../oauth/client-document.ts';
import { once } from '../once.ts';
import { mostForNetwork, reserveFetch } from './fetch-limits.ts';

/** The browser that causes a document to be fetched, and the id of its request. */
export type Asker = Sender & { requestId?: string | null };

/** A document, with how long it is fresh according to its host. */
export type ClientDocument = DocumentContent & {
  etag: string | null;
  fetchedAt: Date;
  staleAt: Date;
};

/** The result of looking at a document; `unchanged` since the version with this ETag was read. */
type Look =
  | { document: ClientDocument }
  | { unchanged: Pick<ClientDocument, 'etag' | 'fetchedAt' | 'staleAt'> }
  | { fault: DocumentFault };

/** The maximum number of documents kept in memory, at up to 5 KB each. */
const mostHeld = 1000;
/**
 * Milliseconds before a failed fetch is tried again. It is only a short pause, because errors must
 * not be cached: the app's maker may have fixed the document (section 5.2).
 */
const pause = 5_000;

/** Milliseconds. A key that its client has withdrawn works no longer than this. */
export const longestWithKeys = 3_600_000;

type Held = { document: ClientDocument | null; fault: DocumentFault | null; pausedUntil: number };
type Memory = { held: Map<string, Held>; underWay: Map<string, Promise<Look>> };

const memory = () =>
  once('client-documents', (): Memory => ({ held: new Map(), underWay: new Map() }));

/** The document in memory, if it was fetched after this time. It may be stale. */
export function heldDocument(id: string, after: Date | null): ClientDocument | null {
  const document = memory().held.get(id)?.document ?? null;
  return document && (after === null || document.fetchedAt > after) ? document : null;
}

/** The ETag of that version, and whether it contains keys or their address. */
type Known = { etag: string | null; hasKeys: boolean };

/**
 * Fetches a client's document from its host. Concurrent requests share one fetch.
 * @param known the known version; null if there is none
 * @param asker who causes the fetch
 */
export function lookAt(id: string, known: Known | null, asker: Asker, now: Date): Promise<Look> {
  const { held, underWay } = memory();
  const last = held.get(id);
  if (last?.fault && last.pausedUntil > now.getTime())
    return Promise.resolve({ fault: last.fault });
  const running = underWay.get(id);
  if (running) return running;
  const look = fetchOnce(id, known, asker, now).finally(() => underWay.delete(id));
  underWay.set(id, look);
  return look;
}

async function fetchOnce(
  id: string,
  known: Known | null,
  { requestId = null, ...sender }: Asker,
  now: Date,
): Promise<Look> {
  const place = await reserveFetch(documentHost(id), sender, now);
  if (!place) return { fault: { kind: 'busy', reason: 'Too many documents are being fetched.' } };
  if ('refusedUntil' in place)
    return { fault: { kind: 'busy', reason: tooMany, refusedUntil: place.refusedUntil } };
  try {
    const look = judge(id, await fetchDocument(id, known?.etag ?? null, requestId), known, now);
    remember(id, look, now);
    return look;
  } catch (error) {
    if (!(error instanceof FetchFailed)) throw error;
    const look: Look = { fault: unreachable(error.message) };
    remember(id, look, now);
    return look;
  } finally {
    place.giveBack();
  }
}

const tooMany = `From this network more than ${mostForNetwork} metadata documents were asked for within 15 minutes.`;

const unreachable = (received: string): DocumentFault => ({
  kind: 'unreachable',
  reason: 'It could not be read.',
  received,
  expected: ['status 200, application/json, at most 5 KB, within 5 seconds, no redirect'],
});

/** With these statuses the host says that the document was removed. Any other may be an outage. */
const gone = new Set([404, 410]);

function judge(id: string, fetched: Fetched, known: Known | null, now: Date): Look {
  const { status, text } = fetched;
  const sent = known?.etag ?? null;
  if (status === 304 && known && sent !== null)
    return { unchanged: { etag: fetched.etag ?? sent, ...freshness(fetched, known, now) } };
  if (gone.has(status))
    return { fault: { ...unreachable(`status ${status}`), kind: 'invalid' as const } };
  if (status !== 200) return { fault: unreachable(`status ${status}`) };
  const read = readClientDocument(id, text);
  if ('fault' in read) return read;
  const hasKeys = provesByAssertion(read.content.settings);
  const fresh = freshness(fetched, { hasKeys }, now);
  return { document: { ...read.content, etag: fetched.etag, ...fresh } };
}

/** How long a document is fresh: with keys or their address, no longer than a key set. */
function freshness({ cacheControl, age }: Fetched, { hasKeys }: Pick<Known, 'hasKeys'>, now: Date) {
  const seconds = freshSeconds(cacheControl, age);
  const life = hasKeys ? Math.min(seconds * 1000, longestWithKeys) : seconds * 1000;
  return { fetchedAt: now, staleAt: new Date(now.getTime() + life) };
}

function remember(id: string, look: Look, now: Date): void {
  const { held } = memory();
  const before = held.get(id)?.document ?? null;
  held.delete(id);
  const [oldest] = held.keys();
  if (held.size >= mostHeld && oldest !== undefined) held.delete(oldest);
  const fault = 'fault' in look ? look.fault : null;
  held.set(id, {
    document: documentAfter(before, look),
    fault,
    pausedUntil: fault ? now.getTime() + pause : 0,
  });
}

function documentAfter(before: ClientDocument | null, look: Look): ClientDocument | null {
  if ('document' in look) return look.document;
  if ('unchanged' in look) return before && { ...before, ...look.unchanged };
  return look.fault.kind === 'invalid' ? null : before;
}
