import { once } from '../once.ts';
import { type Columns, read } from './engine/database.ts';
import { RevisionCache, readRevision } from './engine/revision.ts';
import type { Statement } from './engine/statement.ts';

/** What the configuration file can manage. */
export type OwnedKind =
  | 'setting'
  | 'scope'
  | 'group'
  | 'api'
  | 'client'
  | 'field'
  | 'provider'
  | 'branding'
  | 'terms';

/**
 * A thing by its id or name. The key of a setting is its name in the environment; the key of the
 * branding is ''.
 */
export type Owned = { kind: OwnedKind; key: string };

/** What the configuration file manages, by kind. */
export class FileOwned {
  readonly #keys = new Map<string, Set<string>>();

  constructor(things: readonly Owned[]) {
    for (const { kind, key } of things)
      this.#keys.set(kind, (this.#keys.get(kind) ?? new Set()).add(key));
  }

  has(kind: OwnedKind, key: string): boolean {
    return this.#keys.get(kind)?.has(key) ?? false;
  }

  /** The keys of a kind, in order. */
  of(kind: OwnedKind): string[] {
    return [...(this.#keys.get(kind) ?? [])];
  }
}

const cache = () => once('cache.file-owned', () => new RevisionCache<FileOwned>(1));

/** What the file manages as of a revision. */
function fileOwnedAt(revision: number): Promise<FileOwned> {
  return cache().get('all', revision, loadFileOwned);
}

/** What the file manages now. */
export async function readFileOwned(): Promise<FileOwned> {
  return fileOwnedAt(await readRevision());
}

/** The same, without any cache. */
export async function loadFileOwned(): Promise<FileOwned> {
  const sql = 'SELECT kind, key FROM file_owned ORDER BY kind, key';
  const rows = await read<Columns<'file_owned', 'kind' | 'key'>>(sql, {});
  return new FileOwned(rows as Owned[]);
}

/** Makes the file manage a thing: for a transaction that raises the revision. */
export function owning({ kind, key }: Owned): Statement {
  const sql = 'INSERT INTO file_owned (kind, key) VALUES (:kind, :key) ON CONFLICT DO NOTHING';
  return { sql, params: { kind, key } };
}

/** Makes the file no longer manage a thing: for a transaction that raises the revision. */
export function disowning({ kind, key }: Owned): Statement {
  return { sql: 'DELETE FROM file_owned WHERE kind = :kind AND key = :key', params: { kind, key } };
}
