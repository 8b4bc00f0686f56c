import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export type Column = {
  key: string;
  label: ReactNode;
  /** Numbers are right-aligned with tabular figures. */
  numeric?: boolean;
  sorted?: 'ascending' | 'descending';
};
export type Row = { key: string; cells: Readonly<Record<string, ReactNode>> };

type TableProps = { caption: string; columns: readonly Column[]; rows: readonly Row[] };

/**
 * A table whose first column names the row. On a phone each row becomes a card with labelled
 * values. Roles are explicit: browsers drop them when CSS changes the display type.
 */
export function Table({ caption, columns, rows }: TableProps) {
  return (
    // No region: the card around it may be one of the same name.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups what is filled in
    <div
      role="group"
      className="relative overflow-x-auto rounded-xl border border-line bg-surface"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={caption}
    >
      {/* biome-ignore-start lint/a11y/noRedundantRoles: see above */}
      <table
        role="table"
        className="w-full border-collapse text-start text-sm wrap-break-word max-sm:block"
      >
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup" className="bg-sunken text-ink-soft max-sm:sr-only">
          <tr role="row">
            {columns.map((column) => (
              <th
                key={column.key}
                role="columnheader"
                scope="col"
                aria-sort={column.sorted}
                className={classNames(
                  'px-4 py-2.5 font-semibold whitespace-nowrap',
                  alignOf(column),
                )}
              >
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="max-sm:block">
          {rows.map((row) => (
            <tr
              role="row"
              key={row.key}
              className="border-t border-line max-sm:grid max-sm:grid-cols-[minmax(0,1fr)] max-sm:gap-1.5 max-sm:px-4 max-sm:py-3 max-sm:first:border-t-0"
            >
              {columns.map((column, index) => (
                <Cell key={column.key} column={column} first={index === 0}>
                  {row.cells[column.key]}
                </Cell>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see above */}
    </div>
  );
}

function Cell({
  column,
  first,
  children,
}: {
  column: Column;
  first: boolean;
  children: ReactNode;
}) {
  const className = classNames(
    'align-top font-normal max-sm:min-w-0 max-sm:text-start sm:px-4 sm:py-3',
    alignOf(column),
  );
  if (first) {
    return (
      // biome-ignore lint/a11y/noRedundantRoles: see above
      <th role="rowheader" scope="row" className={classNames(className, 'sm:max-w-96 sm:min-w-36')}>
        {children}
      </th>
    );
  }
  return (
    // biome-ignore lint/a11y/noRedundantRoles: see above
    <td role="cell" className={classNames(className, 'max-sm:flex max-sm:gap-3')}>
      <span aria-hidden="true" className="w-24 shrink-0 text-ink-soft sm:hidden">
        {column.label}
      </span>
      <div className="min-w-0">{children}</div>
    </td>
  );
}

function alignOf(column: Column): string {
  return column.numeric ? 'sm:text-end tabular-nums' : 'text-start';
}
