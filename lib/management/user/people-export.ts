import { groupsOfPeople } from '../../store/group-list.ts';
import { factsOfPeople, type PersonFacts } from '../../store/person-facts.ts';
import { flushUsage } from '../../store/usage.ts';
import { type UserFilter, type UserRecord, userList } from '../../store/user-list.ts';
import { csvLine } from '../csv.ts';
import { asMeant } from './people-search.ts';

/** People read at a time, so memory stays small however many are exported. */
const step = 500;

type Exported = UserRecord & { facts: PersonFacts | undefined; groups: readonly string[] };
const columns: [string, (user: Exported) => string | null][] = [
  ['id', ({ id }) => id],
  ['username', ({ username }) => username],
  ['name', ({ name }) => name],
  ['email', ({ email }) => email],
  ['email_verified', ({ emailVerified }) => String(emailVerified)],
  ['role', ({ role }) => role],
  ['groups', ({ groups }) => groups.join(', ')],
  ['authenticator_app', ({ facts }) => String(facts?.totp ?? false)],
  ['passkeys', ({ facts }) => String(facts?.passkeys ?? 0)],
  ['created_at', ({ createdAt }) => createdAt.toISOString()],
  ['last_sign_in_at', ({ lastSignInAt }) => lastSignInAt?.toISOString() ?? null],
  ['disabled_at', ({ disabledAt }) => disabledAt?.toISOString() ?? null],
];

/** Streams the people who match a filter as CSV, newest first. */
export async function* exportPeople(typed: UserFilter, now: Date): AsyncGenerator<string> {
  yield csvLine(columns.map(([name]) => name));
  await flushUsage();
  const filter = await asMeant(typed);
  for await (const rows of userList.pages(filter, step)) {
    const ids = rows.map(({ id }) => id);
    const [facts, groups] = await Promise.all([factsOfPeople(ids, now), groupsOfPeople(ids)]);
    const lines = rows.map((user) => {
      const person = { ...user, facts: facts.get(user.id), groups: groups.get(user.id) ?? [] };
      return csvLine(columns.map(([, value]) => value(person)));
    });
    yield lines.join('');
  }
}
