import type { SqlParams, SqlValue } from './statement.ts';

/**
 * The text of a statement as a driver takes it, and which parameter each of its placeholders takes.
 */
export type Resolved = { text: string; holes: string[] };

/** A text in quotes, a cast in PostgreSQL, a parameter by name, and one by number. */
const marks = /'[^']*'|::|:([A-Za-z]\w*)|\$(\d+)/g;

/**
 * With `+?` for every parameter, which is fastest on SQLite: by position rather than by name, and
 * with a plus, which changes no value but hides it from the planner. SQLite re-plans a join with a
 * bare `?` for every new value, which takes up to eight times as long as the statement itself.
 */
export function withQuestionMarks(sql: string): Resolved {
  const holes: string[] = [];
  const text = sql.replace(marks, (mark, name?: string, number?: string) => {
    const hole = name ?? (number && String(Number(number) - 1));
    if (hole === undefined) return mark;
    holes.push(hole);
    return '+?';
  });
  return { text, holes };
}

/** With `$1`, `$2` and so on, one for each parameter, as PostgreSQL takes them. */
export function withNumbers(sql: string): Resolved {
  const holes: string[] = [];
  const text = sql.replace(marks, (mark, name?: string, number?: string) => {
    if (number !== undefined) holes[Number(number) - 1] = String(Number(number) - 1);
    if (name === undefined) return mark;
    if (!holes.includes(name)) holes.push(name);
    return `$${holes.indexOf(name) + 1}`;
  });
  return { text, holes };
}

/** With a column of a table for each parameter: `k."userId"` for `:userId`. */
export function withColumnsOf(table: string, sql: string): string {
  return sql.replace(marks, (mark, name?: string) => (name ? `${table}."${name}"` : mark));
}

export const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/** Parameters for each value of a list, as `IN (…)` takes them. */
export function inList(name: string, values: readonly SqlValue[]) {
  const entries = values.map((value, index) => [`${name}${index}`, value] as const);
  return {
    marks: entries.map(([each]) => `:${each}`).join(', '),
    params: Object.fromEntries(entries) as Readonly<Record<string, SqlValue>>,
  };
}

/** The words of a list as it is stored: separated by spaces. */
export const wordsIn = (list: string): string[] => list.split(' ').filter(Boolean);

/** SQL: whether a space-delimited list contains this word. */
export const holds = (list: string, word: string) =>
  `replace(' ' || ${list} || ' ', ' ' || ${word} || ' ', '') <> ' ' || ${list} || ' '`;

/**
 * The value for a placeholder of a statement. @throws Error if it is missing, because null would be
 * a value
 */
export function valueFor(hole: string, params: SqlParams): SqlValue {
  const value = (params as Readonly<Record<string, SqlValue | undefined>>)[hole];
  if (value === undefined) throw new Error(`A statement got no value for ${hole}.`);
  return value;
}
