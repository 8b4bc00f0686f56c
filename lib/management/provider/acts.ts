import { z } from 'zod';
import { providerKinds, redirectUriOf } from '../../identity/upstream/provider-kinds.ts';
import { act } from '../act.ts';
import { told } from '../told.ts';
import { moment, oneOf, text, textOrNone, texts } from '../values.ts';
import { timeSeen, versionAt } from '../version.ts';
import { providerFields } from './fields.ts';
import type { ListedProvider } from './providers.ts';

// Imported late: a command line that only prints its help opens no store.
const providers = () => import('./providers.ts');

const id = text.meta({ description: 'the id of the provider' });
const kind = oneOf(providerKinds).meta({ description: providerKinds.join(', ') });
const secret = textOrNone
  .meta({ description: 'its client secret, or Apple’s private key; it is never shown again' })
  .optional();

const provider = z
  .object({
    id: text,
    slug: text,
    kind: text,
    name: text,
    button_words: textOrNone,
    mark: textOrNone,
    issuer: text,
    client_id: text,
    secret: oneOf(['none', 'kept', 'lost']).meta({
      description: 'lost: the server secret cannot decrypt it, and it has to be entered again',
    }),
    redirect_uri: text,
    apple_team_id: textOrNone,
    apple_key_id: textOrNone,
    scopes: texts,
    position: z.int(),
    enabled: z.boolean(),
    may_sign_in: z.boolean(),
    may_register: z.boolean(),
    domains: texts,
    groups_claim: textOrNone,
    groups: z.array(z.object({ value: text, group_id: text, name: text })),
    trusts_second_factor: z.boolean(),
    accepts_assertions: z.boolean(),
    matches_addresses: z.boolean(),
    people: z.int().meta({ description: 'how many have linked it' }),
    only_way_in: z.int().meta({ description: 'how many of them have no other way in' }),
    used_in_30_days: z.int().meta({ description: 'how many of them signed in with it recently' }),
    created_at: moment,
    updated_at: moment,
  })
  .meta({ id: 'Provider' });

export const providerActs = {
  list: act({
    may: 'see-everything',
    says: 'list the providers that people sign in with, in the order of their buttons',
    takes: z.strictObject({
      slug: text.meta({ description: 'only the provider with exactly this slug' }).optional(),
    }),
    tells: z.object({ providers: z.array(provider) }),
    async run({ slug }, { now }) {
      const found = await (await providers()).listProviders(now);
      const meant = found.filter((each) => slug === undefined || each.slug === slug);
      return { providers: meant.map(toldProvider) };
    },
  }),

  show: act({
    may: 'see-everything',
    says: 'show a provider; its secret is never shown',
    takes: z.strictObject({ id }),
    tells: provider,
    run: async (said, { now }) =>
      toldProvider(await (await providers()).providerWithId(said.id, now)),
    version: versionAt,
  }),

  create: act({
    may: 'fresh-admin',
    says: 'add a provider that people sign in with',
    example: { kind: 'google', client_id: 'CLIENT_ID', secret: 'SECRET' },
    takes: z.strictObject({
      kind,
      slug: text
        .meta({ description: 'its name in the redirect URI, which never changes (its kind)' })
        .optional(),
      secret,
      ...providerFields,
    }),
    tells: provider,
    async run(said, { actor, now }) {
      const { createProvider, providerWithId } = await providers();
      return toldProvider(await providerWithId(await createProvider(said, actor, now), now));
    },
    version: versionAt,
  }),

  update: act({
    may: 'admin',
    says: 'change a provider; only the options you give change',
    example: { domains: ['example.org'] },
    takes: z.strictObject({ id, secret, ...z.object(providerFields).partial().shape }),
    tells: provider,
    async run({ id, ...said }, { actor, now, seen, demandFresh }) {
      const { providerWithId, updateProvider } = await providers();
      const terms = { actor, now, seen: timeSeen(seen), onLoosening: demandFresh };
      await updateProvider(id, said, terms);
      return toldProvider(await providerWithId(id, now));
    },
    version: versionAt,
  }),

  enable: act({
    may: 'fresh-admin',
    says: 'switch a provider on',
    takes: z.strictObject({ id }),
    tells: provider,
    async run({ id }, { actor, now, demandFresh }) {
      const { providerWithId, updateProvider } = await providers();
      await updateProvider(id, { enabled: true }, { actor, now, onLoosening: demandFresh });
      return toldProvider(await providerWithId(id, now));
    },
  }),

  disable: act({
    may: 'admin',
    says: 'switch a provider off: it has no button, and its answers are refused',
    takes: z.strictObject({ id }),
    tells: provider,
    async run({ id }, { actor, now }) {
      const { providerWithId, updateProvider } = await providers();
      await updateProvider(id, { enabled: false }, { actor, now });
      return toldProvider(await providerWithId(id, now));
    },
  }),

  delete: act({
    may: 'fresh-admin',
    says: 'delete a provider; users who linked it lose that way in',
    takes: z.strictObject({ id }),
    tells: z.object({
      id,
      slug: text,
      name: text,
      deleted: z.literal(true),
      people: z.int(),
      locked_out: z
        .int()
        .meta({ description: 'people who have no way in until they reset their password' }),
    }),
    async run(said, { actor, now, seen }) {
      const gone = await (await providers()).deleteProvider(said.id, actor, now, timeSeen(seen));
      const { id, slug, name, use } = gone;
      return { id, slug, name, deleted: true as const, people: use.people, locked_out: use.only };
    },
  }),
};

const toldProvider = (found: ListedProvider): z.input<typeof provider> =>
  told(provider, {
    ...found,
    redirectUri: redirectUriOf(found.slug),
    groups: found.groups.map(({ value, groupId }) => ({
      value,
      group_id: groupId,
      name: found.groupNames.get(groupId) ?? '',
    })),
    people: found.use.people,
    onlyWayIn: found.use.only,
    usedIn30Days: found.use.recent,
  });
