import { database } from '#lib/store/engine/database.ts';

/** Does some work in this process on PostgreSQL, and returns the statements that it ran. */
export async function withStatements<T>(
  work: () => Promise<T>,
): Promise<{ result: T; statements: string[] }> {
  const db = database();
  if (db.kind !== 'postgresql') throw new Error('This is about round trips.');
  const kinds = ['query', 'read'] as const;
  const statements: string[] = [];
  for (const kind of kinds) {
    const run = db[kind].bind(db);
    db[kind] = (sql, params) => {
      statements.push(sql);
      return run(sql, params);
    };
  }
  try {
    return { result: await work(), statements };
  } finally {
    for (const kind of kinds) Reflect.deleteProperty(db, kind);
  }
}
