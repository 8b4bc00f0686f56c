import { type ApiRecord, listApis } from '#lib/management/api/apis.ts';
import { keptOf } from '#lib/management/kept.ts';
import { pagesIn } from '#lib/management/page.ts';
import { periodIn } from '#lib/messages/format.ts';
import { countIn } from '#lib/messages/formats.ts';
import type { Text } from '#lib/messages/text.ts';
import { accessTokenLifeOf } from '#lib/oauth/api.ts';
import { guardPage } from '../../guards.ts';
import { pageText } from '../../locale.ts';
import { readParams, type SearchParams } from '../../params.ts';
import { UserText } from '../../ui/user-text.tsx';
import { KeptBadge } from '../ui/kept.tsx';
import { QuickButton, QuickLink } from '../ui/quick-link.tsx';
import { List } from '../ui/table/list.tsx';
import { type ListColumn, pageIn, sortIn } from '../ui/table/order.ts';
import { listWords } from '../ui/table/words.tsx';

const path = '/admin/apis';
const perPage = 50;
const usual = { by: 'name', direction: 'ascending' } as const;

export default async function ApisPage({ searchParams }: { searchParams: SearchParams }) {
  await guardPage(path);
  const text = await pageText();
  const query = await readParams(searchParams);
  const apis = await listApis(query.q?.slice(0, 200));
  const kept = await keptOf('api');
  const sort = sortIn(query, ['name'], usual);
  const listed = sort.direction === 'ascending' ? apis : apis.toReversed();
  const total = { count: apis.length, more: false };
  const page = Math.min(pageIn(query), pagesIn(total));
  const add = (
    <QuickButton size="small" href="/admin/apis/new">
      {text('apis.add')}
    </QuickButton>
  );
  return (
    <List
      {...listWords(text, 'apis', { query, total, add })}
      actions={add}
      path={path}
      query={query}
      hint={text('apis.searchHint')}
      columns={columns(text)}
      sort={sort}
      list={{ total, page }}
      rows={listed
        .slice((page - 1) * perPage, page * perPage)
        .map((api) => ({ key: api.id, cells: cellsOf(text, api, kept) }))}
    />
  );
}

const columns = (text: Text): ListColumn[] => [
  { key: 'name', label: text('apis.columnName'), sort: ['name', 'ascending'] },
  { key: 'tokens', label: text('apis.columnTokens') },
  { key: 'access', label: text('apis.columnAccess') },
  { key: 'scopes', label: text('apis.columnScopes'), numeric: true },
];

function cellsOf(text: Text, api: ApiRecord, kept: ReadonlySet<string>) {
  const life = accessTokenLifeOf(api, 0);
  return {
    name: (
      <div className="gh-who">
        <QuickLink className="gh-name" href={`${path}/${api.id}`}>
          <UserText text={api.name} />
        </QuickLink>
        {kept.has(api.id) && <KeptBadge />}
        <span className="font-mono text-xs break-all text-ink-soft">{api.identifier}</span>
      </div>
    ),
    tokens: (
      <>
        {text(`apis.formats.${api.tokenFormat}.short`)}
        {life > 0 && ` · ${periodIn(text.locale, life)}`}
      </>
    ),
    access: text(`apis.accesses.${api.access}.short`),
    scopes: countIn(text.locale, api.scopes.length),
  };
}
