import type { Worker } from 'node:worker_threads';
import { openSqlite } from '#lib/store/engine/sqlite.ts';

/**
 * A program that writes to a SQLite database, and writes again while its writer thread is being
 * ended.
 */
const threads: Worker[] = [];
process.on('worker', (thread) => threads.push(thread));
const [url = '', sql = ''] = process.argv.slice(2);
const db = openSqlite(url);
const write = (name: string) => db.write([{ sql, params: [name, 'x', 1] }]);
await write('first');
console.log('first written');
for (const thread of threads) void thread.terminate();
await write('second');
console.log('second written');
