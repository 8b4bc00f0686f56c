import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export type Column = {
  key: string;
  label: ReactNode;
  /** Numbers stand at the end, in figures of one width. */
  numeric?: boolean;
  sorted?: 'ascending' | 'descending';
};
export type Row = { key: string; cells: Readonly<Record<string, ReactNode>> };

/** A table that scrolls inside its own box on a narrow screen. The first column names the row. */
export function Table({ caption, columns, rows }: { caption: string; columns: readonly Column[]; rows: readonly Row[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className="relative overflow-x-auto rounded-xl border border-line bg-surface" tabIndex={0} aria-label={caption}>
      <table className="w-full border-collapse text-start text-sm wrap-break-word">
        <caption className="sr-only">{caption}</caption>
        <thead className="bg-sunken text-ink-soft">
          <tr>
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                aria-sort={column.sorted}
                className={classNames('px-4 py-2.5 font-semibold whitespace-nowrap', alignOf(column))}
              >
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key} className="border-t border-line">
              {columns.map((column, index) => {
                const className = classNames(
                  'px-4 py-3 align-top font-normal',
                  alignOf(column),
                  index === 0 && 'max-w-96 min-w-36',
                );
                return index === 0 ? (
                  <th key={column.key} scope="row" className={className}>
                    {row.cells[column.key]}
                  </th>
                ) : (
                  <td key={column.key} className={className}>
                    {row.cells[column.key]}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function alignOf(column: Column): string {
  return column.numeric ? 'text-end tabular-nums' : 'text-start';
}
