import pg from 'pg';

/** An adapter for PostgreSQL, like those in oidc-provider's documentation. */
export async function postgresAdapter(databaseUrl) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  await pool.query(
    `CREATE TABLE IF NOT EXISTS oidc (model TEXT, id TEXT, payload JSONB, grant_id TEXT, uid TEXT, consumed INTEGER, expires_at TIMESTAMPTZ, PRIMARY KEY (model, id))`,
  );
  await pool.query('CREATE INDEX IF NOT EXISTS oidc_grant ON oidc (grant_id)');
  await pool.query('CREATE INDEX IF NOT EXISTS oidc_uid ON oidc (model, uid)');
  const run = async (name, text, values) => (await pool.query({ name, text, values })).rows[0];
  const read = (row) => row && { ...row.payload, ...(row.consumed && { consumed: row.consumed }) };
  return class {
    constructor(model) {
      this.model = model;
    }
    async upsert(id, payload, expiresIn) {
      const text =
        'INSERT INTO oidc VALUES ($1, $2, $3, $4, $5, NULL, $6) ON CONFLICT (model, id) DO UPDATE SET payload = $3, expires_at = $6';
      const expiresAt = expiresIn ? new Date(Date.now() + expiresIn * 1000) : null;
      await run('put', text, [
        this.model,
        id,
        payload,
        payload.grantId ?? null,
        payload.uid ?? null,
        expiresAt,
      ]);
    }
    async find(id) {
      return read(
        await run('one', 'SELECT payload, consumed FROM oidc WHERE model = $1 AND id = $2', [
          this.model,
          id,
        ]),
      );
    }
    async findByUid(uid) {
      return read(
        await run('uid', 'SELECT payload, consumed FROM oidc WHERE model = $1 AND uid = $2', [
          this.model,
          uid,
        ]),
      );
    }
    async findByUserCode() {
      return undefined;
    }
    async destroy(id) {
      await run('drop', 'DELETE FROM oidc WHERE model = $1 AND id = $2', [this.model, id]);
    }
    async revokeByGrantId(grantId) {
      await run('grant', 'DELETE FROM oidc WHERE grant_id = $1', [grantId]);
    }
    async consume(id) {
      await run('use', 'UPDATE oidc SET consumed = $3 WHERE model = $1 AND id = $2', [
        this.model,
        id,
        Math.floor(Date.now() / 1000),
      ]);
    }
  };
}
