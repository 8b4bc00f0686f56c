import type { ReactNode } from 'react';
import type { Page } from '#lib/store/engine/page.ts';
import { oneOf } from '../../params.ts';
import type { Option } from '../../ui/select.tsx';
import { type Column, type Row, Table } from '../../ui/table.tsx';
import { AdminPage } from './admin-page.tsx';
import { Counted } from './counted.tsx';
import { type Filter, ListSearch } from './list-search.tsx';
import { Pager } from './pager.tsx';

type Query = Readonly<Record<string, string>>;

type Props = {
  title: string;
  text: string;
  actions: ReactNode;
  /** Above the search. */
  before?: ReactNode;
  path: string;
  query: Query;
  search: { label: string; placeholder: string };
  filters: readonly Filter[];
  caption: string;
  columns: readonly Column[];
  rows: readonly Row[];
  /** Shown when nothing is found. */
  empty: ReactNode;
  /** "1,204 people" */
  total: string;
} & Pick<Page<unknown>, 'next' | 'previous'>;

/** A list page: create button, search, table, pager. */
export function ListPage({
  title,
  text,
  actions,
  before,
  path,
  query,
  search,
  filters,
  caption,
  columns,
  rows,
  empty,
  total,
  next,
  previous,
}: Props) {
  return (
    <AdminPage title={title} text={text} actions={actions}>
      {before}
      <ListSearch action={path} {...search} query={query.q ?? ''} filters={filters} />
      {rows.length > 0 ? (
        <Counted total={total}>
          <Table caption={caption} columns={columns} rows={rows} />
        </Counted>
      ) : (
        empty
      )}
      <Pager path={path} query={query} next={next} previous={previous} />
    </AdminPage>
  );
}

/** A filter from the address; its first option if absent or unknown. */
export function filterOf(
  name: string,
  label: string,
  options: readonly Option[],
  query: Query,
): Filter {
  const value = oneOf(
    options.map((option) => option.value),
    query[name],
  );
  return { name, label, options, value: value ?? options[0]?.value ?? '' };
}
