import { z } from 'zod';
import { type ArrivingPerson, jsonIn, maybeText, type Reader, wholeName } from './arrivals.ts';
import { isShutOut } from './shut-out.ts';

const keys = z.array(z.union([z.string(), z.number()])).nullish();

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

const rows = z.array(
  z.looseObject({
    model: z.string(),
    pk: z.union([z.string(), z.number()]).nullish(),
    fields,
  }),
);

/** People and groups as Django's `dumpdata` writes them, for authentik and any Django program. */
export const readAuthentik: Reader = (text) => {
  const all = jsonIn(text, rows);
  const of = (...models: string[]) => all.filter(({ model }) => models.includes(model));
  const groups = of('authentik_core.group', 'auth.group');
  const names = new Map(groups.map(({ pk, fields }) => [String(pk), fields.name ?? '']));
  const people = of('authentik_core.user', 'auth.user').filter(({ fields }) => isPerson(fields));
  return {
    people: people.map(({ fields }) => arrivalOf(fields, names)),
    groups: [...names.values()],
  };
};

/** authentik also has accounts for its own parts. */
const isPerson = ({ type, username = '' }: z.output<typeof fields>) =>
  !type?.includes('service_account') && username !== 'AnonymousUser';

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
    groups: [...(groups ?? []), ...(ak_groups ?? [])].flatMap(
      (key) => names.get(String(key)) ?? [],
    ),
  };
}
