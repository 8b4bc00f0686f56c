import { workerData } from 'node:worker_threads';
import BetterSqlite3 from 'better-sqlite3';

const db = new BetterSqlite3((workerData as { path: string }).path, { timeout: 0 });
// What takes long holds up nobody; what holds up writers is short then.
db.pragma('wal_checkpoint(PASSIVE)');
db.pragma('wal_checkpoint(TRUNCATE)');
db.close();
