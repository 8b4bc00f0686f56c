import { redirect } from 'next/navigation';
import { attemptOf, searchAll } from '#lib/management/search.ts';
import { may } from '#lib/people/roles.ts';
import { requirePermission } from '../../guards.ts';
import { pageText } from '../../locale.ts';
import { readParams, type SearchParams } from '../../params.ts';
import { SearchView } from './view.tsx';

/** Everything that one text may mean; a request ID leads straight to its attempt. */
export default async function SearchPage({ searchParams }: { searchParams: SearchParams }) {
  const { role } = (await requirePermission('enter')).user;
  const q = ((await readParams(searchParams)).q ?? '').trim().slice(0, 200);
  const attempt = q && may(role, 'see-everything') ? await attemptOf(q) : null;
  if (attempt) redirect(`/admin/traces/${attempt}`);
  const found = q ? await searchAll(q, role, await pageText()) : null;
  return <SearchView q={q} role={role} found={found} />;
}
