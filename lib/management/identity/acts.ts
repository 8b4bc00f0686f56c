import { z } from 'zod';
import { act } from '../act.ts';
import { told } from '../told.ts';
import { existingUserId, personId } from '../user/one-person.ts';
import { moment, momentOrNone, text, textOrNone } from '../values.ts';
import type { LinkedIdentity } from './identities.ts';

// Imported late: a command line that only prints its help opens no store.
const identities = () => import('./identities.ts');

const identity = z
  .object({
    id: text,
    provider: text.meta({ description: 'the id of the provider' }),
    provider_name: text,
    issuer: text,
    subject: text,
    label: textOrNone.meta({
      description:
        'the name the provider last gave for them: only shown, never used to recognize them',
    }),
    created_at: moment,
    last_used_at: momentOrNone,
  })
  .meta({ id: 'Identity' });

export const identityActs = {
  list: act({
    may: 'see-people',
    says: 'list what a user has linked at other providers',
    takes: z.strictObject({ user_id: personId }),
    tells: z.object({ identities: z.array(identity) }),
    async run({ user_id }) {
      const found = await (await identities()).listIdentities(await existingUserId(user_id));
      return { identities: found.map(toldIdentity) };
    },
  }),

  unlink: act({
    may: 'fresh-help-people',
    says: 'unlink an account that a user has at a provider, even if it is their last way in; they are signed out everywhere',
    takes: z.strictObject({ user_id: personId, id: text.meta({ description: 'of the identity' }) }),
    tells: z.object({ user_id: text, id: text, provider_name: text, unlinked: z.literal(true) }),
    async run({ user_id, id }, { actor, now }) {
      const gone = await (await identities()).unlinkIdentityOf(user_id, id, actor, now);
      return { user_id, id, provider_name: gone.provider.name, unlinked: true as const };
    },
  }),
};

const toldIdentity = (found: LinkedIdentity): z.input<typeof identity> =>
  told(identity, { ...found, provider: found.providerId, providerName: found.provider.name });
