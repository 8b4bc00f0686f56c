import { factsOfPeople, type PersonFacts } from '../../store/person-facts.ts';
import { flushUsage } from '../../store/usage.ts';
import { countUsers, type UserFilter, type UserRecord } from '../../store/user-list.ts';
import type { Listed } from '../page.ts';
import { asMeant } from './people-search.ts';
import { listUsers } from './users.ts';

export type ListedPerson = UserRecord & { facts: PersonFacts };

/** Users with what a decision about them needs, and how many there are. @throws AdminRefusal */
export async function listPeople(typed: UserFilter, now: Date): Promise<Listed<ListedPerson>> {
  await flushUsage();
  const filter = await asMeant(typed);
  const [page, total] = await Promise.all([listUsers(filter), countUsers(filter)]);
  const facts = await factsOfPeople(
    page.rows.map(({ id }) => id),
    now,
  );
  const rows = page.rows.map((user) => ({ ...user, facts: facts.get(user.id) ?? nothing }));
  return { ...page, rows, total };
}

/** Of a user who was deleted meanwhile. */
const nothing: PersonFacts = { totp: false, passkeys: 0, lockedUntil: null };
