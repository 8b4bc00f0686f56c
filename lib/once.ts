/**
 * All process-wide handles by name, with their types. `unknown` replaces a type from a room that
 * this one may not import.
 */
export type Handles = {
  'api.turn': { waiting: number; last: Promise<void> };
  'audit-daily': Set<string>;
  'audit-once': Map<string, unknown>;
  'audit-told': { last: Promise<void> };
  brand: { brand: object };
  'cache.accessTokens': Map<string, unknown>;
  'cache.apis': unknown;
  'cache.old-issuers': unknown;
  'cache.branding': unknown;
  'cache.clients': unknown;
  'cache.file-owned': unknown;
  'cache.keys': unknown;
  'cache.providers': unknown;
  'cache.scopes': unknown;
  'cache.settings': unknown;
  'cache.token-keys': unknown;
  'cache.user-fields': unknown;
  'client-document-fetches': unknown;
  'client-documents': unknown;
  'client-keys': unknown;
  config: unknown;
  directories: readonly object[];
  'directory-looks': Map<string, unknown>;
  'directory-places': Map<string, unknown>;
  'directory-servers': Map<string, { restsUntil: number; provedAt: number }>;
  doctor: { look: object | null };
  gauges: unknown;
  'held-rows': Map<string, { row: Record<string, unknown>; stamp: number }>;
  database: unknown;
  'look-ups': Map<string, object>;
  listeners: { byClient: Map<string, unknown>; serial: number };
  log: unknown;
  'log-of-command': boolean;
  'log-output': unknown;
  'mail-transport': unknown;
  metrics: unknown;
  'password-strength': { guessesOf(password: string, words: readonly string[]): Promise<number> };
  passwords: unknown;
  'password-refused': Set<string>;
  'password-times': Map<string, number>;
  pictures: { waiting: number; last: Promise<unknown> };
  queues: { left: boolean; byName: Map<string, object> };
  'pages-fail': { isSo: boolean };
  'recent-codes': { grants: Map<string, { ids: string[]; looksAt: number }>; size: number };
  readiness: { look: object | null; triedAt: number };
  'request-limits': Map<string, number>;
  'revision.seen': { revision: number | null };
  'seal-keys': Map<string, unknown[]>;
  'seen-tokens': unknown;
  'session-passwords': Record<string, string>;
  'signing-keys': Map<string, Promise<unknown>>;
  spans: unknown;
  'sender-keys': string[];
  'sql.insert-authorization': Map<string, string>;
  stopping: { stopping: boolean; isEnding: boolean; leaving: Set<() => void> };
  'store-health': { away: number; writtenAt: number; writesFail: false | 'away' | 'full' };
  'store.closers': (() => Promise<void>)[];
  'upstream-clients': Map<string, unknown>;
  'token-keys': { keys: unknown };
  transaction: unknown;
  'trace-contexts': Map<string, unknown>;
  traces: { waiting: Map<string, unknown>; taken: Map<string, number>; followed: Set<string> };
  'transport-headers': Readonly<Record<string, unknown>>;
  'unsealed-sessions': Map<string, string>;
  'tries-at-once': Map<string, unknown>;
  'unreadable-forwards': Map<string, string>;
  'untrusted-proxies': Set<string>;
  'upload-places': { owners: Set<string>; places: object };
  usage: { counts: Map<string, number>; timer: NodeJS.Timeout | null };
};

/**
 * The values made so far, by name. The server's own modules and Next's bundles are two module
 * graphs in one process: a module variable would exist twice, `globalThis` exists once.
 */
const made: Map<string, { value: unknown }> = shared();

function shared(): Map<string, { value: unknown }> {
  const key = Symbol.for('gatehouse.made');
  const holder = globalThis as unknown as Record<symbol, typeof made | undefined>;
  holder[key] ??= new Map();
  return holder[key];
}

/**
 * One value per process, whichever module graph asks first. A promise that rejects is forgotten, so
 * that the next caller tries again.
 */
export function once<Name extends keyof Handles, T extends Handles[Name]>(
  name: Name,
  make: () => T,
): T {
  const held = made.get(name);
  if (held) return held.value as T;
  const value = make();
  const own = { value };
  made.set(name, own);
  if (value instanceof Promise)
    value.catch(() => {
      if (made.get(name) === own) made.delete(name);
    });
  return value;
}
