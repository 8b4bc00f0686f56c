import { type ApiRecord, listApis } from '#lib/management/api/apis.ts';
import { keptOf } from '#lib/management/kept.ts';
import { periodIn } from '#lib/messages/format.ts';
import { countIn } from '#lib/messages/formats.ts';
import type { Text } from '#lib/messages/text.ts';
import { ofTotal } from '#lib/messages/total.ts';
import { accessTokenLifeOf } from '#lib/oauth/api.ts';
import { requirePermission } from '../../guards.ts';
import { pageText } from '../../locale.ts';
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
  const text = await pageText();
  const query = await readParams(searchParams);
  const apis = await listApis(query.q?.slice(0, 200));
  const kept = await keptOf('api');
  const from = /^\d{1,4}$/.test(query.after ?? '') ? Number(query.after) : 0;
  const add = <QuickButton href="/admin/apis/new">{text('apis.add')}</QuickButton>;
  return (
    <ListPage
      title={text('apis.title')}
      text={text('apis.lead')}
      actions={add}
      path={path}
      query={query}
      search={{ label: text('apis.search'), placeholder: text('apis.searchHint') }}
      filters={[]}
      caption={text('apis.list')}
      columns={columns(text)}
      rows={apis
        .slice(from, from + perPage)
        .map((api) => ({ key: api.id, cells: cellsOf(text, api, kept) }))}
      empty={
        query.q ? (
          <EmptyState title={text('apis.nothingFound')} text={text('apis.nothingFoundText')} />
        ) : (
          <EmptyState title={text('apis.none')} text={text('apis.noneText')} action={add} />
        )
      }
      total={text('apis.total', ofTotal({ count: apis.length, more: false }))}
      next={from + perPage < apis.length ? String(from + perPage) : null}
      previous={from > perPage ? String(from - perPage) : null}
    />
  );
}

const columns = (text: Text) => [
  { key: 'name', label: text('apis.columnName'), sorted: 'ascending' as const },
  { key: 'tokens', label: text('apis.columnTokens') },
  { key: 'access', label: text('apis.columnAccess') },
  { key: 'scopes', label: text('apis.columnScopes'), numeric: true },
];

function cellsOf(text: Text, api: ApiRecord, kept: ReadonlySet<string>) {
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
        {text(`apis.formats.${api.tokenFormat}.short`)}
        {life > 0 && <p className="text-ink-soft">{periodIn(text.locale, life)}</p>}
      </>
    ),
    access: text(`apis.accesses.${api.access}.short`),
    scopes: countIn(text.locale, api.scopes.length),
  };
}
