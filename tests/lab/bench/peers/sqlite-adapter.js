import Database from 'better-sqlite3';

/** An adapter for SQLite with full durability, like those in oidc-provider's documentation. */
export async function sqliteAdapter(databaseUrl) {
  const db = new Database(databaseUrl.slice('file:'.length));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec(`CREATE TABLE IF NOT EXISTS oidc (model TEXT, id TEXT, payload TEXT, grant_id TEXT, uid TEXT, consumed INTEGER, expires_at INTEGER, PRIMARY KEY (model, id)) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS oidc_grant ON oidc (grant_id); CREATE INDEX IF NOT EXISTS oidc_uid ON oidc (model, uid);`);
  const put = db.prepare(
    'INSERT INTO oidc VALUES (?, ?, ?, ?, ?, NULL, ?) ON CONFLICT (model, id) DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at',
  );
  const one = db.prepare('SELECT payload, consumed FROM oidc WHERE model = ? AND id = ?');
  const byUid = db.prepare('SELECT payload, consumed FROM oidc WHERE model = ? AND uid = ?');
  const drop = db.prepare('DELETE FROM oidc WHERE model = ? AND id = ?');
  const dropGrant = db.prepare('DELETE FROM oidc WHERE grant_id = ?');
  const use = db.prepare('UPDATE oidc SET consumed = ? WHERE model = ? AND id = ?');
  const read = (row) =>
    row && { ...JSON.parse(row.payload), ...(row.consumed && { consumed: row.consumed }) };
  return class {
    constructor(model) {
      this.model = model;
    }
    async upsert(id, payload, expiresIn) {
      put.run(
        this.model,
        id,
        JSON.stringify(payload),
        payload.grantId ?? null,
        payload.uid ?? null,
        expiresIn ? Date.now() + expiresIn * 1000 : null,
      );
    }
    async find(id) {
      return read(one.get(this.model, id));
    }
    async findByUid(uid) {
      return read(byUid.get(this.model, uid));
    }
    async findByUserCode() {
      return undefined;
    }
    async destroy(id) {
      drop.run(this.model, id);
    }
    async revokeByGrantId(grantId) {
      dropGrant.run(grantId);
    }
    async consume(id) {
      use.run(Math.floor(Date.now() / 1000), this.model, id);
    }
  };
}
