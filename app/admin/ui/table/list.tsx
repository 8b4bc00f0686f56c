import type { ReactNode } from 'react';
import type { NumberedPage } from '#lib/management/page.ts';
import type { Sort } from '#lib/store/engine/numbered.ts';
import { pageText } from '../../../locale.ts';
import { type Row, Table } from '../../../ui/table.tsx';
import { AdminPage } from '../admin-page.tsx';
import { type Filter, Filters } from './filters.tsx';
import { filtersIn, type ListColumn, sortable } from './order.ts';
import { Pages } from './pages.tsx';
import type { BulkAct } from './selection.ts';
import { SelectionBar } from './selection-bar.tsx';
import { ticksOf } from './ticks.ts';

type Query = Readonly<Record<string, string>>;

type Props = {
  title: string;
  text?: ReactNode;
  /** The buttons at the right of the filters. */
  actions?: ReactNode;
  /** Above the filters. */
  before?: ReactNode;
  /** Below the table. */
  after?: ReactNode;
  path: string;
  query: Query;
  /** What the search and the filters are for. */
  search: string;
  /** What the field that is always in sight, `q`, looks for. */
  hint?: string;
  filters?: readonly Filter[];
  shortcuts?: readonly { label: string; href: string }[];
  /** The same, always in sight: what several are often chosen by. */
  suggested?: readonly { label: string; href: string }[];
  caption: string;
  columns: readonly ListColumn[];
  sort?: Sort;
  list: Omit<NumberedPage<unknown>, 'rows'>;
  rows: readonly Row[];
  /** Instead of a table without rows. */
  empty: ReactNode;
  /** "1,204 people"; without it all rows stand here, and nothing below them says so. */
  says?: string;
  /** On its last page: where a list that was not counted to its end goes on. */
  onward?: string;
  /** What can be done to rows that are ticked; without any, none can be. */
  acts?: readonly BulkAct[];
};

/** A page that is a list: filters, table, page numbers, and what can be done to several rows at once. */
export async function List(props: Props) {
  const { title, text, actions, before, after, path, query, search, hint, rows, empty } = props;
  const { filters = [] } = props;
  return (
    <AdminPage title={title} text={text}>
      {before}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {(hint !== undefined || filters.length > 0) && (
          <Filters
            path={path}
            query={query}
            label={search}
            search={
              hint === undefined
                ? undefined
                : { name: 'q', label: search, value: query.q ?? '', placeholder: hint }
            }
            filters={filters}
            shortcuts={props.shortcuts}
            suggested={props.suggested}
          />
        )}
        {actions && <div className="ms-auto flex flex-wrap gap-2">{actions}</div>}
      </div>
      {rows.length > 0 ? <Rows {...props} /> : empty}
      {after}
    </AdminPage>
  );
}

async function Rows({ path, query, caption, columns, sort, list, rows, says, ...props }: Props) {
  const text = await pageText();
  const { acts = [], onward } = props;
  const place = { ...list, shown: rows.length, onward };
  return (
    <div data-zoned>
      <Table
        caption={caption}
        columns={sort ? sortable(columns, sort, path, query) : columns}
        rows={rows}
        ticks={acts.length > 0 ? ticksOf(text, list.total) : undefined}
        foot={says && <Pages path={path} query={query} says={says} {...place} />}
      />
      {acts.length > 0 && (
        <SelectionBar
          acts={acts}
          filters={filtersIn(query)}
          total={list.total}
          shown={rows.length}
        />
      )}
    </div>
  );
}
