import { hashPassword } from '../identity/passwords.ts';
import { createClient } from '../management/client/clients.ts';
import type { Actor } from '../store/actor.ts';
import { count, touchLastUse } from '../store/usage.ts';
import { storeUser } from '../store/users.ts';
import { moreApps, type Person } from './cast.ts';
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
        if (now.getTime() - seen.getTime() < 7 * day) count('sign-in', null, seen);
      }),
    );
}

/** A third were here this week; the others at some time since they joined. */
const lastSeen = (chance: Chance, joined: Date, now: Date): Date =>
  chance.isOneIn(3)
    ? randomMoment(chance, now)
    : new Date(joined.getTime() + chance.next() * (now.getTime() - joined.getTime()));

/** Adds many apps that no one has used. */
export async function addMoreApps(number: number, { actor, now }: Setting): Promise<void> {
  const chance = new Chance(78);
  for (const { asks: _, ...app } of moreApps(number))
    await createClient(app, actor, new Date(now.getTime() - chance.between(0, 700 * day)));
}
