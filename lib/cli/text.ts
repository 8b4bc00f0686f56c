type Cell = string | number | boolean | Date | null | undefined;

/** A table for people: columns as wide as they need, or a sentence when there is nothing. */
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

/** Facts about one thing, one below the other. */
export function facts(pairs: [string, Cell][]): string {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs
    .map(([name, value]) => `${name.padEnd(width)}  ${cellText(value)}`.trimEnd())
    .join('\n');
}

/** Says how a list goes on. */
export function withNext(text: string, next: string | null): string {
  return next === null ? text : `${text}\nThere is more: --cursor ${next}`;
}

/** Nothing that somebody typed elsewhere may steer this terminal. */
export function cellText(value: Cell): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString().replace('T', ' ').slice(0, 19);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value).replace(/\p{C}/gu, '?');
}

const widthOf = (text: string) => [...text].length;
const pad = (text: string, width: number) => text + ' '.repeat(width - widthOf(text));
