import { z } from 'zod';
import { act } from '../act.ts';
import { told } from '../told.ts';
import { moment, text, textOrNone, texts } from '../values.ts';
import type { ApiKey } from './keys.ts';
import { apiRights } from './rights.ts';

// Imported late: a command line that only prints its help opens no store.
const keys = () => import('./keys.ts');

const id = text.meta({ description: 'the id of the key' });

const apiKey = z
  .object({
    id: text,
    name: text,
    rights: texts,
    networks: texts,
    made_by: textOrNone.meta({
      description: 'who made it; null: the operator, on the command line',
    }),
    created_at: moment,
    expires_at: moment,
    last_used_at: moment.nullable(),
  })
  .meta({ id: 'ApiKey' });

export const apiKeyActs = {
  list: act({
    may: 'see-everything',
    says: 'list the keys of the API, newest first',
    takes: z.strictObject({}),
    tells: z.object({ api_keys: z.array(apiKey) }),
    run: async () => ({ api_keys: (await (await keys()).listApiKeys()).map(toldKey) }),
  }),

  show: act({
    may: 'see-everything',
    says: 'show a key',
    takes: z.strictObject({ id }),
    tells: apiKey,
    run: async (said) => toldKey(await (await keys()).showApiKey(said.id)),
  }),

  create: act({
    may: 'fresh-admin',
    says: 'create a key for the API; its secret is shown once',
    takes: z.strictObject({
      name: text.meta({ description: 'who or what it is for' }),
      rights: texts.meta({
        description: `what it may do, such as group:write, or all:read for everything: ${apiRights.join(', ')}`,
      }),
      for: text
        .meta({ description: 'how long it works, such as "12 hours" or "30 days" (90 days)' })
        .optional(),
      networks: texts
        .meta({ description: 'the networks it works from, such as 203.0.113.0/24 (anywhere)' })
        .optional(),
    }),
    tells: apiKey.extend({ secret: text }),
    async run(said, { actor, now }) {
      const made = await (await keys()).createApiKey(said, actor, now);
      return { ...toldKey(made), secret: made.secret };
    },
  }),

  delete: act({
    may: 'admin',
    says: 'delete a key; it stops working immediately',
    takes: z.strictObject({ id }),
    tells: z.object({ id, name: text, deleted: z.literal(true) }),
    async run(said, { actor, now }) {
      const { name } = await (await keys()).deleteApiKey(said.id, actor, now);
      return { id: said.id, name, deleted: true as const };
    },
  }),
};

const toldKey = (key: ApiKey): z.input<typeof apiKey> =>
  told(apiKey, { ...key, madeBy: key.maker?.username ?? null });
