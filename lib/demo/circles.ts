import { randomUUID } from 'node:crypto';
import { newTotpSecret, sealedTotp } from '../identity/totp.ts';
import { createGroup } from '../management/group/groups.ts';
import { addMembers } from '../management/group/members.ts';
import type { Actor } from '../store/actor.ts';
import { storeTotp } from '../store/factors.ts';
import { count } from '../store/usage.ts';
import { findUserByLogin } from '../store/users.ts';
import { groups, type Person } from './cast.ts';
import { Chance } from './chance.ts';
import { randomMoment } from './moments.ts';

const day = 24 * 3600_000;
const signInsBefore = 140;

/** Creates the groups. Every `every`-th person becomes a member. */
export async function formGroups(people: readonly Person[], actor: Actor, at: Date): Promise<void> {
  for (const { every, ...group } of groups) {
    const { id } = await createGroup(group, actor, at);
    const members = people.filter((_, index) => index % every === 1);
    await addMembers(
      id,
      members.map(({ username }) => username),
      actor,
      at,
    );
  }
}

/** Gives a quarter of the people an authenticator app, whose secret no one knows. */
export async function setUpFactors(people: readonly Person[], at: Date): Promise<void> {
  for (const { username } of people.filter((_, index) => index % 4 === 0)) {
    const user = await findUserByLogin(username);
    if (!user) throw new Error(`${username} is not there.`);
    const sealedSecret = await sealedTotp.seal(newTotpSecret());
    const totp = { userId: user.id, enrolment: randomUUID(), sealedSecret, step: 0 };
    const detail = { kind: 'totp' };
    const event = { type: 'factor.added', actor: user.id, userId: user.id, detail } as const;
    await storeTotp(totp, { user, identityId: null }, event, at);
  }
}

/** For the week before, only the number of sign-ins is recorded. */
export function countWeekBefore(now: Date): void {
  const chance = new Chance(79);
  const until = new Date(now.getTime() - 7 * day);
  for (let left = signInsBefore; left > 0; left--)
    count('sign-in', null, randomMoment(chance, until));
}
