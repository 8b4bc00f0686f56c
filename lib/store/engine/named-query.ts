import pg from 'pg';
import { endedUndone, noteUndone } from './postgres-failures.ts';
import { nameInRow } from './rows.ts';
import type { Row, SqlValue } from './statement.ts';

type Done = (error: Error | undefined, result: { rows: Row[] }) => void;

/**
 * A statement that a connection prepares once, under its name; with '' it is prepared each time. It
 * is a class because the driver copies a query described by a plain object property by property,
 * which costs as much as sending it. Its rows use the field names of the schema, and it notes
 * errors that mean nothing was done (`noteUndone`).
 */
export class NamedQuery extends pg.Query<Row> {
  readonly name: string;
  /** Milliseconds until the driver gives up. */
  readonly query_timeout: number;
  #isDone = false;

  constructor(name: string, sql: string, values: SqlValue[], limit: number, done: Done) {
    super(sql, values, done as ConstructorParameters<typeof pg.Query>[2]);
    this.name = name;
    this.query_timeout = limit;
  }

  /** The driver calls this before it builds rows, which take their names from here. */
  handleRowDescription(description: Described): void {
    for (const field of description.fields) field.name = nameInRow(field.name);
    readDescription.call(this, description);
  }

  /** The driver calls this when the statement has been carried out, but not yet committed. */
  handleCommandComplete(message: unknown, connection: pg.Connection): void {
    this.#isDone = true;
    noteCompletion.call(this, message, connection);
  }

  /** The driver calls this when the statement failed. */
  handleError(error: Error, connection: pg.Connection): void {
    if (!this.#isDone && endedUndone(error)) noteUndone(error);
    tellOfError.call(this, error, connection);
  }
}

type Described = { fields: { name: string }[] };
const {
  handleRowDescription: readDescription,
  handleCommandComplete: noteCompletion,
  handleError: tellOfError,
} = pg.Query.prototype as unknown as Pick<
  NamedQuery,
  'handleRowDescription' | 'handleCommandComplete' | 'handleError'
>;
