import { workerData } from 'node:worker_threads';
import BetterSqlite3 from 'better-sqlite3';

const db = new BetterSqlite3((workerData as { path: string }).path, { timeout: 0 });
// The slow part (PASSIVE) blocks no one, so that the part that blocks writers (TRUNCATE) is short.
db.pragma('wal_checkpoint(PASSIVE)');
db.pragma('wal_checkpoint(TRUNCATE)');
db.close();
