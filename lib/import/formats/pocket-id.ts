import { z } from 'zod';
import { isShutOut } from '../../identity/shut-out.ts';
import {
  addTo,
  groupsAt,
  jsonIn,
  maybeText,
  maybeTrue,
  type Reader,
  wholeName,
} from '../arrivals.ts';

const user = z.looseObject({
  id: z.string(),
  username: maybeText,
  email: maybeText,
  email_verified: maybeTrue,
  first_name: maybeText,
  last_name: maybeText,
  display_name: maybeText,
  locale: maybeText,
});

const file = z.looseObject({
  tables: z.looseObject({
    users: z.array(user).nullish(),
    user_groups: z.array(z.looseObject({ id: z.string(), name: z.string() })).nullish(),
    user_groups_users: z
      .array(z.looseObject({ user_id: z.string(), user_group_id: z.string() }))
      .nullish(),
  }),
});

/** `database.json` from the archive that `pocket-id export` writes. It contains no passwords. */
export const readPocketId: Reader = (text) => {
  const { users, user_groups: groups, user_groups_users: members } = jsonIn(text, file).tables;
  const names = new Map((groups ?? []).map(({ id, name }) => [id, name]));
  const byUser = new Map<string, string[]>();
  for (const { user_id, user_group_id } of members ?? []) addTo(byUser, user_id, user_group_id);
  return {
    people: (users ?? []).map((said) => ({
      id: said.id,
      username: said.username,
      email: said.email,
      emailVerified: said.email_verified,
      name: said.display_name ?? wholeName(said.first_name, said.last_name),
      disabled: isShutOut(said),
      claims: { given_name: said.first_name, family_name: said.last_name, locale: said.locale },
      groups: groupsAt(byUser, [said.id]).flatMap((id) => names.get(id) ?? []),
    })),
    groups: [...names.values()],
  };
};
