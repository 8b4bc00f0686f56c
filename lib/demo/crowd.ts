import { hashPassword } from '../identity/passwords.ts';
import { allow } from '../management/client/access.ts';
import { createClient } from '../management/client/clients.ts';
import { createGroup } from '../management/group/groups.ts';
import { addMembers } from '../management/group/members.ts';
import { digest } from '../oauth/secrets.ts';
import type { Actor } from '../store/actor.ts';
import { read } from '../store/engine/database.ts';
import { widenGrantOf } from '../store/grants.ts';
import { count, touchLastUse } from '../store/usage.ts';
import { storeUser } from '../store/users.ts';
import { type App, moreApps, type Person, teams, towns } from './cast.ts';
import { Chance } from './chance.ts';
import { randomMoment } from './moments.ts';

const day = 24 * 3600_000;
/** How many are stored concurrently. */
const together = 200;

/** The password of the crowd, the actor that adds it, and when the demo starts. */
type Setting = { password: string; actor: Actor; now: Date };

/**
 * Adds many people, most of whom have signed in. They share one password hash: hashing one for each
 * would take minutes.
 */
export async function addCrowd(people: readonly Person[], { password, now }: Setting) {
  const passwordHash = await hashPassword(password);
  const chance = new Chance(77);
  for (let from = 0; from < people.length; from += together)
    await Promise.all(
      people.slice(from, from + together).map(async ({ verified, ...person }) => {
        const joined = new Date(now.getTime() - chance.between(8 * day, 900 * day));
        const seen = chance.isOneIn(6) ? null : lastSeen(chance, joined, now);
        const user = { ...person, passwordHash, isAdmin: false, emailVerified: verified };
        const stored = await storeUser(user, joined);
        if ('taken' in stored) throw new Error(`${person.username} is there already.`);
        if (!seen) return;
        touchLastUse('users', stored.id, seen);
        if (now.getTime() - seen.getTime() > 7 * day) return;
        count('sign-in', null, seen);
        // The week before was a little quieter.
        if (!chance.isOneIn(9)) count('sign-in', null, new Date(seen.getTime() - 7 * day));
      }),
    );
}

/** A third were here this week; the others at some time since they joined. */
const lastSeen = (chance: Chance, joined: Date, now: Date): Date =>
  chance.isOneIn(3)
    ? randomMoment(chance, now)
    : new Date(joined.getTime() + chance.next() * (now.getTime() - joined.getTime()));

/** How many people are in the groups of teams and towns. */
const mostGrouped = 2000;

/**
 * Adds many apps of teams after a year: most let in only their team's group, few are used by many,
 * and one in twenty by no one.
 */
export async function addMoreApps(number: number, { actor, now }: Setting): Promise<void> {
  if (number === 0) return;
  const chance = new Chance(78);
  const sql = `SELECT id, username FROM users ORDER BY id LIMIT ${mostGrouped}`;
  const people = await read<{ id: string; username: string }>(sql, {});
  const within = (all: readonly string[], at: number) =>
    people.filter((_, index) => index % all.length === at);
  const year = new Date(now.getTime() - 365 * day);
  const groups: { id: string; name: string }[] = [];
  for (const names of [teams, towns])
    for (const [at, name] of names.entries()) {
      const group = await createGroup({ name }, actor, year);
      const members = within(names, at).map(({ username }) => username);
      await addMembers(group.id, members, actor, year);
      groups.push(group);
    }
  for (const [index, { asks, ...app }] of moreApps(number).entries()) {
    const isOpen = index % 5 === 0;
    const made = new Date(now.getTime() - chance.between(20, 430) * day);
    const access = isOpen ? 'everybody' : 'listed';
    const { secret } = await createClient({ ...app, access }, actor, made);
    const group = groups[index % teams.length];
    if (!isOpen && group) await allow(app.id, { groups: [group], people: [] }, actor, made);
    if (index % 20 === 19) continue;
    const users = isOpen ? people : within(teams, index % teams.length);
    const used = await letUse(
      users.slice(0, 1 + 400 / (index + 4)),
      { id: app.id, asks },
      chance,
      now,
    );
    touchLastUse('clients', app.id, used);
    if (secret !== null) touchLastUse('client_secrets', digest(secret), used);
  }
}

/** Lets people use an app, the last of them long ago. Returns the latest use. */
async function letUse(
  users: readonly { id: string }[],
  { id: clientId, asks }: Pick<App, 'id' | 'asks'>,
  chance: Chance,
  now: Date,
): Promise<Date> {
  let latest = new Date(0);
  for (const { id: userId } of users) {
    const at = new Date(now.getTime() - chance.next() ** 2 * 300 * day - 60_000);
    const given = { scopes: asks, remembered: asks };
    const grant = await widenGrantOf({ userId, clientId }, null, given, at);
    touchLastUse('grants', grant, at);
    if (now.getTime() - at.getTime() < 7 * day) count('tokens-issued', clientId, at);
    if (at > latest) latest = at;
  }
  return latest;
}
