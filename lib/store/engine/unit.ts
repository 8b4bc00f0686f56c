import type { Row, Run, Statement } from './statement.ts';

/** Statements in the order in which they run: those marked `last` after the others. */
export const inOrder = (then: readonly Statement[]): readonly Statement[] =>
  then.some(({ last }) => last)
    ? [...then.filter(({ last }) => !last), ...then.filter(({ last }) => last)]
    : then;

/**
 * Runs a unit within a transaction of PostgreSQL, and gives the rows of its first statement; null
 * if the unit has to be undone.
 */
export async function runUnit(
  run: Run,
  first: Statement,
  then: readonly Statement[],
  hold: readonly Statement[],
): Promise<Row[] | null> {
  for (const { sql, params } of hold) await run(sql, params);
  const rows = await run(first.sql, first.params);
  if (rows.length === 0) return rows;
  for (const { sql, params, must } of then) {
    const found = await run(sql, params);
    if (must && found.length === 0) return null;
  }
  return rows;
}
