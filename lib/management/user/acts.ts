import { z } from 'zod';
import { act } from '../act.ts';
import { refusingAt } from '../refusing-at.ts';
import { endSaid, nextCursor, paging, text, texts, yesOrNo } from '../values.ts';
import { timeSeen, versionAt } from '../version.ts';
import {
  claimsSaid,
  fieldsSaid,
  fieldsTold,
  groupsTold,
  roleSaid,
  userFields,
  userTold,
} from './fields.ts';
import { filterSaid, peopleFilter } from './filter.ts';
import { leavingActs } from './leaving-acts.ts';
import { actOnPerson, existingUserId, personId, takesPerson } from './one-person.ts';
import { madePassword, mustChange, passwordOf } from './password-said.ts';
import { signInActs } from './sign-in-acts.ts';
import { groupNamesOf, toldFields, toldUser } from './told.ts';
import { unusedActs } from './unused-acts.ts';

// Imported late: a command line that only prints its help opens no store.
const users = () => import('./users.ts');
const profiles = () => import('./user-profile.ts');
const said = () => import('./said.ts');

export const userActs = {
  list: act({
    may: 'see-people',
    says: 'list users, newest first',
    takes: z.strictObject({
      ...peopleFilter,
      ...paging,
    }),
    tells: z.object({ users: z.array(userTold), next: nextCursor }),
    async run({ limit, cursor, ...said }, { now }) {
      const { listUsers } = await users();
      const { rows, next } = await listUsers({ ...filterSaid(said, now), limit, cursor });
      return { users: rows.map(toldUser), next };
    },
  }),

  show: act({
    may: 'see-people',
    says: 'show a user, their groups and fields',
    takes: takesPerson,
    tells: userTold.extend({ groups: groupsTold, fields: fieldsTold }),
    async run(said) {
      const user = await (await users()).userWithId(said.id);
      const [groups, fields] = await Promise.all([groupNamesOf(user.id), toldFields(user.id)]);
      return { ...toldUser(user), groups, fields };
    },
    version: versionAt,
  }),

  create: act({
    may: 'fresh-admin',
    says: 'create a user',
    example: { username: 'ada', email: 'ada@example.org' },
    takes: z.strictObject({
      username: userFields.username,
      email: userFields.email,
      password: text.meta({ description: 'their password; generated if left out' }).optional(),
      name: userFields.name,
      admin: yesOrNo.meta({ description: 'can manage this server' }).optional(),
      email_verified: userFields.email_verified,
      must_change_password: mustChange,
      groups: texts.meta({ description: 'groups they are in, by name or id' }).optional(),
      ends_at: endSaid
        .meta({ description: `when the account ends: ${endSaid.description}` })
        .optional(),
    }),
    tells: userTold.extend({ groups: groupsTold, password: madePassword }),
    async ahead(said) {
      const {
        email_verified: emailVerified,
        ends_at: endsAt,
        must_change_password,
        name,
        ...plain
      } = said;
      const { password, made } = await passwordOf(plain.password);
      const mustChangePassword = must_change_password ?? made !== null;
      const rest = { ...plain, name: name ?? undefined, emailVerified, mustChangePassword, endsAt };
      const asked = { ...rest, password };
      return { asked, made, account: await atPlaces((await users()).accountFrom(asked)) };
    },
    async run(_, { actor, now }, { asked, made, account }) {
      const { createUser } = await users();
      const user = await atPlaces(createUser(asked, actor, now, account));
      return { ...toldUser(user), groups: await groupNamesOf(user.id), password: made };
    },
    version: versionAt,
  }),

  update: act({
    may: 'fresh-admin',
    says: "change a user's details",
    example: { name: 'Ada Lovelace' },
    takes: z.strictObject({
      id: personId,
      ...z.object(userFields).partial().shape,
      claims: claimsSaid
        .meta({ description: 'only those that change; null removes one' })
        .optional(),
      fields: fieldsSaid
        .meta({ description: 'custom fields that change; null removes one' })
        .optional(),
    }),
    tells: userTold.extend({ fields: fieldsTold }),
    async run({ id, email_verified: emailVerified, claims, fields, ...plain }, by) {
      const { claimsSaidOf, fieldsTyped } = await said();
      const before = await (await users()).userWithId(id);
      const work = async () => {
        const further = {
          emailVerified,
          claims: claims && claimsSaidOf(before, claims),
          fields: fields && fieldsTyped(fields),
        };
        const seen = timeSeen(by.seen) ?? before.updatedAt;
        const { updateUser } = await profiles();
        return updateUser(id, { ...plain, ...further }, by.actor, by.now, seen);
      };
      const user = await atPlaces(work());
      return { ...toldUser(user), fields: await toldFields(id) };
    },
    version: versionAt,
  }),

  disable: act({
    may: 'fresh-admin',
    says: 'disable a user: end their sessions, revoke their tokens and block sign-in',
    takes: takesPerson,
    tells: userTold,
    run: actOnPerson('disableUser'),
  }),

  enable: act({
    may: 'fresh-admin',
    says: 'enable a user; ended sessions and revoked tokens stay that way',
    takes: takesPerson,
    tells: userTold,
    run: actOnPerson('enableUser'),
  }),

  setEnd: act({
    may: 'fresh-admin',
    says: 'set when an account ends by itself: it is disabled then',
    example: { ends_at: '2031-02-28' },
    takes: z.strictObject({ id: personId, ends_at: endSaid }),
    tells: userTold,
    run: async ({ id, ends_at: endsAt }, { actor, now }) =>
      toldUser(await (await users()).setEnd(await existingUserId(id), endsAt, actor, now)),
  }),

  keep: act({
    may: 'fresh-admin',
    says: 'cancel the account deletion that a user asked for',
    takes: takesPerson,
    tells: userTold,
    async run(said, { actor, now }) {
      const { cancelDeletion } = await import('./deletion.ts');
      return toldUser(await cancelDeletion(await existingUserId(said.id), actor, now));
    },
  }),

  delete: act({
    may: 'fresh-admin',
    says: 'delete a user and everything that belongs to them',
    takes: takesPerson,
    tells: z.object({ id: text, username: text, deleted: z.literal(true) }),
    async run(said, { actor, now, seen }) {
      const gone = await (await users()).deleteUser(
        await existingUserId(said.id),
        actor,
        now,
        timeSeen(seen),
      );
      return { ...gone, deleted: true as const };
    },
  }),

  setAdmin: act({
    may: 'fresh-admin',
    says: 'make a user an admin; off removes the role',
    example: { admin: true },
    takes: z.strictObject({ id: personId, admin: yesOrNo }),
    tells: userTold,
    run: async ({ id, admin }, { actor, now }) =>
      toldUser(await (await users()).setAdmin(await existingUserId(id), admin, actor, now)),
  }),

  setRole: act({
    may: 'fresh-admin',
    says: 'give a user a role in the dashboard instead of the one they have',
    example: { role: 'support' },
    takes: z.strictObject({ id: personId, role: roleSaid }),
    tells: userTold,
    run: async ({ id, role }, { actor, now }) =>
      toldUser(await (await users()).setRole(await existingUserId(id), role, actor, now)),
  }),

  freeName: act({
    may: 'fresh-admin',
    says: 'release a reserved username before its year is over',
    takes: z.strictObject({ username: text.meta({ description: 'the username' }) }),
    tells: z.object({ username: text, free: z.literal(true) }),
    async run({ username }, { actor, now }) {
      await (await import('./user-faults.ts')).freeUsername(username, actor, now);
      return { username, free: true as const };
    },
  }),

  ...signInActs,
  ...leavingActs,
  ...unusedActs,
};

/** Moves the faults of refusals to the names in the act's input. */
async function atPlaces<T>(work: Promise<T>): Promise<T> {
  const { placeSaid } = await said();
  return refusingAt(placeSaid, work);
}
