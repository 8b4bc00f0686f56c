import { redirect } from 'next/navigation';
import { attemptOf, searchAll } from '#lib/management/search.ts';
import { may } from '#lib/people/roles.ts';
import { requirePermission } from '../../guards.ts';
import { readParams, type SearchParams } from '../../params.ts';
import { SearchView } from './view.tsx';

/** Everything that one text may mean; a request ID leads straight to its attempt. */
export default async function SearchPage({ searchParams }: { searchParams: SearchParams }) {
  const { role } = (await requirePermission('enter')).user;
  const text = ((await readParams(searchParams)).q ?? '').trim().slice(0, 200);
  const attempt = text && may(role, 'see-everything') ? await attemptOf(text) : null;
  if (attempt) redirect(`/admin/traces/${attempt}`);
  return <SearchView text={text} role={role} found={text ? await searchAll(text, role) : null} />;
}
