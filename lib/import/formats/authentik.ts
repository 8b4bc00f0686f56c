import { z } from 'zod';
import { isShutOut } from '../../identity/shut-out.ts';
import {
  type ArrivingPerson,
  jsonIn,
  maybeText,
  type Reader,
  scalar,
  shaped,
  wholeName,
} from '../arrivals.ts';

/** A key: the primary one, or with `--natural-foreign` a list of what names the row. */
const key = z.union([scalar, z.array(scalar).transform((parts) => parts.join('\n'))]);
const keys = z.array(key.nullable()).nullish();

const fields = z.looseObject({
  username: maybeText,
  email: maybeText,
  name: maybeText,
  first_name: maybeText,
  last_name: maybeText,
  password: maybeText,
  uuid: maybeText,
  type: maybeText,
  groups: keys,
  ak_groups: keys,
});

const row = z.looseObject({
  model: z.string().catch(''),
  pk: key.nullish().catch(null),
  fields: z.looseObject({}).catch({}),
});
const group = z.looseObject({ name: maybeText });

/**
 * People and groups as Django's `dumpdata` writes them, for authentik and any Django program, also
 * with a user model of its own. Rows of other models are not looked at.
 */
export const readAuthentik: Reader = (text) => {
  const all = jsonIn(text, z.array(row));
  const names = new Map<string, string>();
  for (const { model, pk, fields } of all) {
    if (!groupModels.includes(model)) continue;
    const name = shaped(fields, group).name ?? '';
    // Without primary keys, a group is known by its name.
    names.set(pk ?? name, name).set(name, name);
  }
  const people = all
    .filter(({ model, fields }) => isUserModel(model, fields))
    .map((each) => shaped(each.fields, fields))
    .filter(isPerson);
  return {
    people: people.map((said) => arrivalOf(said, names)),
    groups: [...new Set(names.values())],
  };
};

const groupModels = ['authentik_core.group', 'auth.group'];
/** A model of the program's own counts if it has what `AbstractBaseUser` stores, and a name. */
const isUserModel = (model: string, fields: object) =>
  ['authentik_core.user', 'auth.user'].includes(model) ||
  ('password' in fields && ('email' in fields || 'username' in fields));

const isPerson = ({ type, username = '' }: z.output<typeof fields>) =>
  !/service[-_]account/.test(type ?? '') && username !== 'AnonymousUser';

function arrivalOf(
  said: z.output<typeof fields>,
  names: ReadonlyMap<string, string>,
): ArrivingPerson {
  const { first_name, last_name, groups, ak_groups } = said;
  return {
    id: said.uuid,
    username: said.username,
    email: said.email,
    name: said.name ?? wholeName(first_name, last_name),
    // Django writes `!` for no password.
    hash: said.password?.startsWith('!') ? undefined : said.password,
    disabled: isShutOut(said),
    claims: { given_name: first_name, family_name: last_name },
    groups: [...(groups ?? []), ...(ak_groups ?? [])].flatMap((key) => names.get(key ?? '') ?? []),
  };
}
