/**
 * Like oidc-provider's own in-memory adapter, but without the limit of a thousand entries, which
 * under load makes that one forget who is signed in.
 */
export async function memoryAdapter() {
  const stored = new Map();
  const byGrant = new Map();
  return class {
    constructor(model) {
      this.model = model;
    }
    key(id) {
      return `${this.model}:${id}`;
    }
    async upsert(id, payload) {
      const key = this.key(id);
      stored.set(key, payload);
      if (payload.uid) stored.set(this.key(`uid:${payload.uid}`), payload);
      if (!payload.grantId) return;
      const keys = byGrant.get(payload.grantId);
      if (keys) keys.push(key);
      else byGrant.set(payload.grantId, [key]);
    }
    async find(id) {
      return stored.get(this.key(id));
    }
    async findByUid(uid) {
      return stored.get(this.key(`uid:${uid}`));
    }
    async findByUserCode() {
      return undefined;
    }
    async destroy(id) {
      stored.delete(this.key(id));
    }
    async revokeByGrantId(grantId) {
      for (const key of byGrant.get(grantId) ?? []) stored.delete(key);
      byGrant.delete(grantId);
    }
    async consume(id) {
      const payload = stored.get(this.key(id));
      if (payload) payload.consumed = Math.floor(Date.now() / 1000);
    }
  };
}
