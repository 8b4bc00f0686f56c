import { z } from 'zod';
import { act } from '../act.ts';
import { told } from '../told.ts';
import { moment, momentOrNone, text } from '../values.ts';

// Imported late: a command line that only prints its help opens no store.
const tokens = () => import('./registration-tokens.ts');

const id = text.meta({ description: 'its id' });

const registrationToken = z
  .object({
    id: text,
    name: text,
    created_at: moment,
    expires_at: moment,
    last_used_at: momentOrNone,
  })
  .meta({ id: 'RegistrationToken' });

export const registrationTokenActs = {
  list: act({
    may: 'see-everything',
    says: 'list tokens, newest first',
    takes: z.strictObject({}),
    tells: z.object({ registration_tokens: z.array(registrationToken) }),
    async run() {
      const rows = await (await tokens()).listRegistrationTokens();
      return { registration_tokens: rows.map((row) => told(registrationToken, row)) };
    },
  }),

  create: act({
    may: 'fresh-admin',
    says: 'create a token; it is shown once',
    example: { name: 'Build server', life: '12 hours' },
    takes: z.strictObject({
      name: text.meta({ description: 'who or what it is for' }),
      life: text
        .meta({ description: 'how long it works, such as "12 hours" or "30 days" (7 days)' })
        .optional(),
    }),
    tells: registrationToken.extend({ token: text }),
    async run({ name, life }, { actor, now }) {
      const { createRegistrationToken, usualTokenLife } = await tokens();
      const asked = { name, life: life ?? usualTokenLife };
      const { token, ...made } = await createRegistrationToken(asked, actor, now);
      return { ...told(registrationToken, made), token };
    },
  }),

  delete: act({
    may: 'admin',
    says: 'remove a token; apps that registered with it stay',
    takes: z.strictObject({ id }),
    tells: z.object({ id: text, name: text, removed: z.literal(true) }),
    async run(said, { actor, now }) {
      const { id, name } = await (await tokens()).removeRegistrationToken(said.id, actor, now);
      return { id, name, removed: true as const };
    },
  }),
};
