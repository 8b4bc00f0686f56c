import { builtInScopes, type ScopeRow } from '../oauth/scope.ts';
import { once } from '../once.ts';
import { allColumns } from './engine/all-columns.ts';
import { type Columns, read } from './engine/database.ts';
import { RevisionCache } from './engine/revision.ts';

const cache = () => once('cache.scopes', () => new RevisionCache<ScopeRow[]>(1));

/** All scopes as of a revision. */
export function scopesAt(revision: number): Promise<ScopeRow[]> {
  return cache().get('all', revision, listScopes);
}

/** All scopes: built-in ones in the order of the default scopes, then the others. */
export async function listScopes(): Promise<ScopeRow[]> {
  const rows = await read<Columns<'scopes'>>(
    `SELECT ${allColumns('scopes')} FROM scopes ORDER BY created_at, name`,
    {},
  );
  const known = rows.map(({ name, description, translations, isDefault, sensitive }) => ({
    name,
    description,
    translations: JSON.parse(translations) as Record<string, string>,
    isDefault,
    sensitive,
  }));
  return known.sort((one, other) => place(one) - place(other));
}

const names: readonly string[] = builtInScopes;
const place = ({ name }: ScopeRow) => (names.includes(name) ? names.indexOf(name) : names.length);
