import type { ReactNode } from 'react';
import type { NumberedPage } from '#lib/management/page.ts';
import type { Sort } from '#lib/store/engine/listing.ts';
import { pageText } from '../../../locale.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { type Row, Table } from '../../../ui/table.tsx';
import { AdminPage } from '../admin-page.tsx';
import { hrefOf } from '../href.ts';
import { isBackwards } from './days.ts';
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
  /** The buttons to the right of the filters. */
  actions?: ReactNode;
  /** Above the filters. */
  before?: ReactNode;
  /** Below the table. */
  after?: ReactNode;
  path: string;
  query: Query;
  /** The label of the search and the filters. */
  search: string;
  /** What the always visible field `q` searches for. */
  hint?: string;
  filters?: readonly Filter[];
  shortcuts?: readonly { label: string; href: string }[];
  /** The same kind of links, always visible: common ways to choose several rows. */
  suggested?: readonly { label: string; href: string }[];
  caption: string;
  columns: readonly ListColumn[];
  sort?: Sort;
  list: Omit<NumberedPage<unknown>, 'rows'>;
  rows: readonly Row[];
  /** Shown instead of a table without rows. */
  empty: ReactNode;
  /**
   * A total such as "1,204 people". If it is absent, all rows are shown, with nothing below them.
   */
  says?: string;
  /** On the last page of a list that was not counted completely: where it continues. */
  onward?: string;
  /** The actions for ticked rows. Without any, rows cannot be ticked. */
  acts?: readonly BulkAct[];
};

/** A page that is a list: filters, table, page numbers, and actions for several rows at once. */
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
      {rows.length > 0 ? (
        <Rows {...props} />
      ) : isBackwards(query) ? (
        <Backwards path={path} query={query} />
      ) : (
        empty
      )}
      {after}
    </AdminPage>
  );
}

async function Backwards({ path, query }: Pick<Props, 'path' | 'query'>) {
  const text = await pageText();
  const swapped = hrefOf(path, { ...query, from: query.to ?? '', to: query.from ?? '' });
  return (
    <EmptyState
      icon="clock"
      title={text('audit.backwards')}
      action={
        <ButtonLink kind="secondary" size="small" href={swapped}>
          {text('audit.swap')}
        </ButtonLink>
      }
    />
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
