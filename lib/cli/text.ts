import { printable } from '../oauth/name.ts';
import { shownEmail } from '../people/email.ts';

type Cell = string | number | boolean | Date | null | undefined;

/** A table with columns as wide as needed, or a sentence if there are no rows. */
export function table(head: string[], rows: Cell[][], nothing: string): string {
  if (rows.length === 0) return nothing;
  const lines = [head.map((title) => title.toUpperCase()), ...rows.map((row) => row.map(cellText))];
  const widths = head.map((_, column) =>
    Math.max(...lines.map((line) => widthOf(line[column] ?? ''))),
  );
  return lines
    .map((line) =>
      line
        .map((text, column) => pad(text, widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export type Fact = readonly [label: string, value: Cell];

export function facts(pairs: readonly Fact[]): string {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs
    .map(([name, value]) => `${name.padEnd(width)}  ${cellText(value)}`.trimEnd())
    .join('\n');
}

/** What an act tells, except for the time of the last change: `created_at` is `created`. */
export const factsOf = ({ updated_at: _, ...told }: Record<string, unknown>): Fact[] =>
  Object.entries(told).map(([field, value]) => [field.replace(/_at$/, ''), value as Cell]);

/** The hint for the next page of a list. */
export function withNext(text: string, next: string | null): string {
  return next === null ? text : `${text}\nMore: --cursor ${next}`;
}

/** Strips control characters: stored text must not control this terminal. */
export function cellText(value: Cell): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString().replace('T', ' ').slice(0, 19);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return printable(shownEmail(String(value)));
}

const segmenter = new Intl.Segmenter();
/** What is one sign on the screen may be several characters. */
const widthOf = (text: string) => [...segmenter.segment(text)].length;
const pad = (text: string, width: number) => text + ' '.repeat(width - widthOf(text));
