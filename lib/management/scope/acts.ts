import { z } from 'zod';
import { act } from '../act.ts';
import { told } from '../told.ts';
import { text } from '../values.ts';
import { versionOf } from '../version.ts';
import { scopeFields, scopeFieldsTold } from './fields.ts';
import type { Scope, ScopeChange } from './scopes.ts';

// Imported late: a command line that only prints its help opens no store.
const scopes = () => import('./scopes.ts');

const name = text.meta({ description: 'its name' });

type Said = Partial<z.output<z.ZodObject<typeof scopeFields>>>;

const scope = z
  .object({ name: text, ...scopeFieldsTold, built_in: z.boolean() })
  .meta({ id: 'Scope' });

export const scopeActs = {
  list: act({
    may: 'see-everything',
    says: 'list scopes, built-in ones first',
    takes: z.strictObject({}),
    tells: z.object({ scopes: z.array(scope) }),
    run: async () => ({ scopes: (await (await scopes()).listScopes()).map(toldScope) }),
  }),

  show: act({
    may: 'see-everything',
    says: 'show a scope',
    takes: z.strictObject({ name }),
    tells: scope,
    run: async (said) => toldScope(await (await scopes()).showScope(said.name)),
    version,
  }),

  create: act({
    may: 'admin',
    says: 'create a scope',
    example: { name: 'calendar', description: 'See your appointments' },
    takes: z.strictObject({ name, ...scopeFields }),
    tells: scope,
    async run({ name, description, ...said }, { actor, now, demandFresh }) {
      const { createScope } = await scopes();
      const asked = { ...changeOf(said), name, description };
      return toldScope(await createScope(asked, actor, now, demandFresh));
    },
    version,
  }),

  update: act({
    may: 'admin',
    says: 'change a scope; only the options you give change',
    example: { description: 'See and change your appointments' },
    takes: z.strictObject({ name, ...z.object(scopeFields).partial().shape }),
    tells: scope,
    async run({ name, ...said }, { actor, now, seen, demandFresh }) {
      const { updateScope } = await scopes();
      return toldScope(
        await updateScope(name, changeOf(said), { actor, now, seen, onLoosening: demandFresh }),
      );
    },
    version,
  }),

  delete: act({
    may: 'fresh-admin',
    says: 'delete a scope from clients and approvals, and revoke the tokens that carry it',
    takes: z.strictObject({ name }),
    tells: z.object({ name, deleted: z.literal(true), clients: z.int(), grants: z.int() }),
    async run({ name }, { actor, now, seen }) {
      const count = await (await scopes()).deleteScope(name, actor, now, seen);
      return { name, deleted: true as const, ...count };
    },
  }),
};

/** The fields under the names of the record, two of which are its own. */
const changeOf = ({ descriptions, default: isDefault, ...said }: Said): ScopeChange => ({
  ...said,
  translations: descriptions,
  isDefault,
});

const toldScope = ({ translations, isDefault, ...found }: Scope): z.input<typeof scope> =>
  told(scope, { ...found, descriptions: translations, default: isDefault });

function version({ built_in: _, ...told }: z.output<typeof scope>): string {
  return versionOf(...Object.values(told));
}
