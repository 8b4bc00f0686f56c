import { z } from 'zod';
import { act } from '../act.ts';
import { told } from '../told.ts';
import { moment, momentOrNone, text } from '../values.ts';
import type { SigningKeyRecord, TokenKeyRecord } from './keys.ts';

// Imported late: a command line that only prints its help opens no store.
const keys = () => import('./keys.ts');

const tokenKey = z
  .object({ kid: text, created_at: moment, retired_at: momentOrNone })
  .meta({ id: 'TokenKey' });
const signingKey = z
  .object({ kid: text, alg: text, ...tokenKey.omit({ kid: true }).shape })
  .meta({ id: 'SigningKey' });
const bothKinds = z.object({ keys: z.array(signingKey), token_keys: z.array(tokenKey) });

export const keyActs = {
  list: act({
    may: 'see-everything',
    says: 'list keys, newest first',
    takes: z.strictObject({}),
    tells: bothKinds,
    async run() {
      const { listKeys, listTokenKeys } = await keys();
      return toldKeys(await listKeys(), await listTokenKeys());
    },
  }),

  rotate: act({
    may: 'fresh-admin',
    says: 'create new keys, which take over a few minutes later, once clients know them; the old ones stay as long as anything they signed is valid',
    takes: z.strictObject({}),
    tells: bothKinds,
    async run(_, { actor, now }) {
      const { rotateKeys, listTokenKeys } = await keys();
      const made = await rotateKeys(actor, now);
      return toldKeys(made, (await listTokenKeys()).slice(0, 1));
    },
  }),

  revoke: act({
    may: 'fresh-admin',
    says: 'revoke a leaked key immediately and everywhere; a new one replaces it where it was in use',
    takes: z.strictObject({ kid: text.meta({ description: 'its kid' }) }),
    tells: z.object({ kid: text, revoked: z.literal(true), ...bothKinds.shape }),
    async run({ kid }, { actor, now }) {
      const { revokeKey, listTokenKeys } = await keys();
      const left = await revokeKey(kid, actor, now);
      return { kid, revoked: true as const, ...toldKeys(left, await listTokenKeys()) };
    },
  }),
};

const toldKeys = (rows: readonly SigningKeyRecord[], ofTokens: readonly TokenKeyRecord[]) => ({
  keys: rows.map((row) => told(signingKey, row)),
  token_keys: ofTokens.map((row) => told(tokenKey, row)),
});
