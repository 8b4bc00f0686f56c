import { type ApiRecord, listApis } from '#lib/management/api/apis.ts';
import { keptOf } from '#lib/management/kept.ts';
import { apiWords as words } from '#lib/messages/admin/apis.ts';
import { totalOf } from '#lib/messages/admin/frame.ts';
import { accessTokenLifeOf } from '#lib/oauth/api.ts';
import { sayDuration } from '#lib/settings/duration.ts';
import { requirePermission } from '../../guards.ts';
import { readParams, type SearchParams } from '../../params.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { KeptBadge } from '../ui/kept.tsx';
import { ListPage } from '../ui/list-page.tsx';
import { QuickButton, QuickLink } from '../ui/quick-link.tsx';

const path = '/admin/apis';
const perPage = 50;

export default async function ApisPage({ searchParams }: { searchParams: SearchParams }) {
  await requirePermission('see-everything');
  const query = await readParams(searchParams);
  const apis = await listApis(query.q?.slice(0, 200));
  const kept = await keptOf('api');
  const from = /^\d{1,4}$/.test(query.after ?? '') ? Number(query.after) : 0;
  const add = <QuickButton href="/admin/apis/new">{words.add}</QuickButton>;
  return (
    <ListPage
      title={words.title}
      text={words.lead}
      actions={add}
      path={path}
      query={query}
      search={{ label: words.search, placeholder: words.searchHint }}
      filters={[]}
      caption={words.list}
      columns={columns}
      rows={apis
        .slice(from, from + perPage)
        .map((api) => ({ key: api.id, cells: cellsOf(api, kept) }))}
      empty={
        query.q ? (
          <EmptyState title={words.nothingFound} text={words.nothingFoundText} />
        ) : (
          <EmptyState title={words.none} text={words.noneText} action={add} />
        )
      }
      total={totalOf({ count: apis.length, more: false }, words.one, words.several)}
      next={from + perPage < apis.length ? String(from + perPage) : null}
      previous={from > perPage ? String(from - perPage) : null}
    />
  );
}

const columns = [
  { key: 'name', label: words.columnName, sorted: 'ascending' as const },
  { key: 'tokens', label: words.columnTokens },
  { key: 'access', label: words.columnAccess },
  { key: 'scopes', label: words.columnScopes, numeric: true },
];

function cellsOf(api: ApiRecord, kept: ReadonlySet<string>) {
  const life = accessTokenLifeOf(api, 0);
  return {
    name: (
      <div className="min-w-0 wrap-anywhere">
        <QuickLink className="gh-link font-semibold" href={`${path}/${api.id}`}>
          <UserText text={api.name} />
        </QuickLink>{' '}
        {kept.has(api.id) && <KeptBadge />}
        <p className="font-mono text-xs break-all text-ink-soft">{api.identifier}</p>
      </div>
    ),
    tokens: (
      <>
        {words.formats[api.tokenFormat].short}
        {life > 0 && <p className="text-ink-soft">{sayDuration(life)}</p>}
      </>
    ),
    access: words.accesses[api.access].short,
    scopes: api.scopes.length.toLocaleString('en'),
  };
}
