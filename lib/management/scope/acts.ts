import { z } from 'zod';
import { act } from '../act.ts';
import { onOff, text, textsByName } from '../values.ts';
import { versionOf } from '../version.ts';
import type { Scope, ScopeChange } from './scopes.ts';

// Imported late: a command line that only prints its help opens no store.
const scopes = () => import('./scopes.ts');

const name = text.meta({ description: 'its name' });

/** The one list of the fields of a scope that can be set. */
const scopeFields = {
  description: text.meta({
    description: 'what an app can do with it, as people read it on the consent page',
  }),
  descriptions: textsByName
    .meta({ description: 'the description by language, such as de; an empty text removes one' })
    .optional(),
  default: onOff.meta({ description: 'requested by clients that name no scope' }).optional(),
  sensitive: onOff
    .meta({
      description: 'only for clients that list it; tokens of other clients that carry it end',
    })
    .optional(),
};
export type ScopeField = keyof typeof scopeFields;
type Said = Partial<z.output<z.ZodObject<typeof scopeFields>>>;

/** The same fields as they are returned. */
const fieldsTold = {
  description: text,
  descriptions: textsByName,
  default: z.boolean(),
  sensitive: z.boolean(),
} satisfies Record<ScopeField, z.ZodType>;

const scope = z.object({ name: text, ...fieldsTold, built_in: z.boolean() }).meta({ id: 'Scope' });

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

/** The fields under the names of the record. A field that is missing here does not compile. */
function changeOf({
  description,
  descriptions,
  default: isDefault,
  sensitive,
  ...rest
}: Said): ScopeChange {
  rest satisfies Record<string, never>;
  return { description, translations: descriptions, isDefault, sensitive };
}

function toldScope(found: Scope): z.input<typeof scope> {
  const { name, description, translations, isDefault, sensitive, builtIn } = found;
  const descriptions = { ...translations };
  return { name, description, descriptions, default: isDefault, sensitive, built_in: builtIn };
}

function version({ built_in: _, ...told }: z.output<typeof scope>): string {
  return versionOf(...Object.values(told));
}
