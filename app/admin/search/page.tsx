import { redirect } from 'next/navigation';
import { guardPage } from '../../guards.ts';
import { pageText } from '../../locale.ts';
import { readParams, type SearchParams } from '../../params.ts';
import { pageZone } from '../../zone.ts';
import { findLines, longestSearch } from './lines.ts';
import { SearchView } from './view.tsx';

/** Everything that a text could mean. A request ID leads straight to its attempt. */
export default async function SearchPage({ searchParams }: { searchParams: SearchParams }) {
  const { role } = (await guardPage('/admin/search')).user;
  const q = ((await readParams(searchParams)).q ?? '').trim().slice(0, longestSearch);
  const found = q ? await findLines(q, role, await pageText(), await pageZone()) : null;
  const attempt = found?.find(({ id }) => id === 'attempts')?.lines[0];
  if (attempt) redirect(attempt.href);
  return <SearchView q={q} role={role} found={found} />;
}
