import { z } from 'zod';
import { act } from '../act.ts';
import { secretTimes } from '../client/fields.ts';
import { refusingAt } from '../refusing-at.ts';
import { told } from '../told.ts';
import { text, yesOrNo } from '../values.ts';

// Imported late: a command line that only prints its help opens no store.
const clients = () => import('../client/clients.ts');
const secrets = () => import('./secrets.ts');

const client_id = text.meta({ description: 'the client_id of the app' });
const id = text.meta({ description: 'the id of the secret: its digest' });

const secret = z.object({ id: text, ...secretTimes }).meta({ id: 'Secret' });

export const secretActs = {
  list: act({
    may: 'see-everything',
    says: 'list the secrets of a client, without their values',
    takes: z.strictObject({ client_id }),
    tells: z.object({ secrets: z.array(secret) }),
    async run(said) {
      const found = await (await clients()).showClient(said.client_id);
      return { secrets: found.secrets.map((one) => told(secret, { ...one, id: one.hash })) };
    },
  }),

  create: act({
    may: 'fresh-admin',
    says: 'give a client a new secret; the old ones stop working',
    example: { keep_old: true },
    takes: z.strictObject({
      client_id,
      keep_old: yesOrNo
        .meta({ description: 'keep the old secrets until the app has the new one' })
        .optional(),
    }),
    tells: z.object({
      client_id: text,
      id: text,
      client_secret: text.meta({ description: 'shown only now' }),
    }),
    async run({ client_id, keep_old: keepOld }, { actor, now }) {
      const { rotateSecret } = await secrets();
      const atPlace = (field: string) => (field === 'keepOld' ? 'keep_old' : field);
      const made = rotateSecret(client_id, { keepOld }, actor, now);
      const { secret, hash } = await refusingAt(atPlace, made);
      return { client_id, id: hash, client_secret: secret };
    },
  }),

  delete: act({
    may: 'fresh-admin',
    says: 'end one of several secrets of a client',
    takes: z.strictObject({ client_id, id }),
    tells: z.object({ client_id: text, id: text, deleted: z.literal(true) }),
    async run({ client_id, id }, { actor, now }) {
      await (await secrets()).removeSecret(client_id, id, actor, now);
      return { client_id, id, deleted: true as const };
    },
  }),
};
