import type { Numbered } from '../../store/engine/listing.ts';
import { idsOf } from '../../store/engine/parameters.ts';
import { factsOfPeople, type PersonFacts } from '../../store/person-facts.ts';
import { flushUsage } from '../../store/usage.ts';
import {
  type UserFilter,
  type UserRecord,
  type UserSort,
  userList,
} from '../../store/user-list.ts';
import { type NumberedPage, numberedPage } from '../page.ts';
import { asMeant } from './people-search.ts';

export type ListedPerson = UserRecord & { facts: PersonFacts };

const first: Numbered<UserSort> = { page: 1, sort: { by: 'created', direction: 'descending' } };

/** Users with the facts that a decision about them needs, and how many there are. */
export async function listPeople(
  typed: UserFilter,
  now: Date,
  wanted = first,
): Promise<NumberedPage<ListedPerson>> {
  await flushUsage();
  const listed = await numberedPage(userList, await asMeant(typed), wanted);
  const facts = await factsOfPeople(idsOf(listed.rows), now);
  const rows = listed.rows.map((user) => ({ ...user, facts: facts.get(user.id) ?? nothing }));
  return { ...listed, rows };
}

/** For a user who was deleted meanwhile. */
const nothing: PersonFacts = {
  totp: false,
  passkeys: 0,
  lockedUntil: null,
  groups: { names: [], more: 0 },
};
