import { openSqlite } from '#lib/store/engine/sqlite.ts';

/** A program that writes to a SQLite database, and closes nothing. */
const [url = '', sql = ''] = process.argv.slice(2);
await openSqlite(url).write([{ sql, params: ['alone', 'x', 1] }]);
