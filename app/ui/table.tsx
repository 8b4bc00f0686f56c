import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export type Column = {
  key: string;
  label: ReactNode;
  /** Numbers are right-aligned with tabular figures. */
  numeric?: boolean;
  sorted?: 'ascending' | 'descending';
  /** Where the head links to: the same list in another order. */
  sortHref?: string;
  /**
   * On a phone a value is on its own line, beside others (the default) or, as in narrow windows,
   * omitted, unless the rows are sorted by it.
   */
  phone?: 'line' | 'beside' | 'none';
  /** Omitted in narrow windows, but not on a phone, where rows have more lines. */
  wide?: boolean;
};
export type Row = {
  key: string;
  cells: Readonly<Record<string, ReactNode>>;
  /** The name that screen readers read for the row's tick box. */
  name?: string;
};

/** How rows are ticked: for which form, in which field, and the names of the tick boxes. */
export type Ticks = {
  form: string;
  field: string;
  all: string;
  one: (name: string) => string;
  /** Without scripts, shown instead of the box for all rows: it selects everything that matches. */
  matching?: { field: string; label: string };
};

type TableProps = {
  caption: string;
  columns: readonly Column[];
  rows: readonly Row[];
  ticks?: Ticks;
  /** Shown below the rows, inside the frame. */
  foot?: ReactNode;
};

/**
 * A table whose first column names the row (app/ui/table.css). On a phone each row becomes a card.
 * Roles are explicit: browsers drop them when CSS changes the display type.
 */
export function Table({ caption, columns, rows, ticks, foot }: TableProps) {
  return (
    // Not a region, because the card around it may be a region of the same name.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups form fields
    <div
      role="group"
      className="gh-table"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={caption}
    >
      {/* biome-ignore-start lint/a11y/noRedundantRoles: see above */}
      <table role="table">
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {ticks && (
              <td role="cell" className="gh-tick">
                <input type="checkbox" form={ticks.form} aria-label={ticks.all} data-tick-all />
                {ticks.matching && (
                  <input
                    type="checkbox"
                    form={ticks.form}
                    name={ticks.matching.field}
                    aria-label={ticks.matching.label}
                    autoComplete="off"
                    data-tick-matching
                  />
                )}
              </td>
            )}
            {columns.map((column) => (
              <Head key={column.key} column={column} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr role="row" key={row.key}>
              {ticks && (
                <td role="cell" className="gh-tick">
                  <Tick ticks={ticks} row={row} />
                </td>
              )}
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
      {foot}
    </div>
  );
}

function Tick({ ticks: { form, field, one }, row: { key, name } }: { ticks: Ticks; row: Row }) {
  return (
    <input
      type="checkbox"
      form={form}
      name={field}
      value={key}
      aria-label={one(name ?? key)}
      // A tick that the browser restores after a reload would belong to another row.
      autoComplete="off"
    />
  );
}

/* biome-ignore-start lint/a11y/noRedundantRoles: see above */
function Head({ column: { label, numeric, sorted, sortHref, phone, wide } }: { column: Column }) {
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={sorted}
      className={classNames(
        numeric && 'gh-number',
        phone === 'none' && !sorted && 'gh-phone-none',
        wide && 'gh-medium-none',
      )}
    >
      {sortHref ? <a href={sortHref}>{label}</a> : label}
    </th>
  );
}

type CellProps = { column: Column; first: boolean; children: ReactNode };

function Cell({ column, first, children }: CellProps) {
  const { label, numeric, sorted } = column;
  const phone = sorted && column.phone === 'none' ? 'beside' : (column.phone ?? 'beside');
  if (first)
    return (
      <th role="rowheader" scope="row">
        {children}
      </th>
    );
  return (
    <td
      role="cell"
      className={classNames(
        numeric && 'gh-number',
        phone !== 'beside' && `gh-phone-${phone}`,
        column.wide && 'gh-medium-none',
      )}
      data-label={phone === 'beside' && typeof label === 'string' ? label : undefined}
    >
      {children}
    </td>
  );
}
/* biome-ignore-end lint/a11y/noRedundantRoles: see above */
