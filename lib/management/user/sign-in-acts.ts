import { z } from 'zod';
import { act } from '../act.ts';
import { text, yesOrNo } from '../values.ts';
import { userTold } from './fields.ts';
import { actOnPerson, existingUserId, personId, takesPerson } from './one-person.ts';
import { madePassword, mustChange, passwordOf } from './password-said.ts';
import { toldUser } from './told.ts';

// Imported late: a command line that only prints its help opens no store.
const users = () => import('./users.ts');

export const signInActs = {
  resetPassword: act({
    may: 'fresh-help-people',
    says: "set a user's password; ends their sessions and revokes their tokens",
    example: { must_change_password: true },
    takes: z.strictObject({
      id: personId,
      password: text.meta({ description: 'the new one; generated if left out' }).optional(),
      must_change_password: mustChange,
    }),
    tells: userTold.extend({ password: madePassword }),
    async ahead({ id, password: said }, { actor }) {
      const { password, made } = await passwordOf(said);
      const { passwordHashFor } = await users();
      return { made, hash: await passwordHashFor(await existingUserId(id), password, actor) };
    },
    async run({ id, must_change_password: asked }, { actor, now }, { hash, made }) {
      // Users who only help people must never know a password of theirs that stays valid.
      const mustChange = actor.reach === 'people' || (asked ?? made !== null);
      const { resetPassword } = await users();
      const user = await resetPassword(await existingUserId(id), hash, actor, now, mustChange);
      return { ...toldUser(user), password: made };
    },
  }),

  removeFactors: act({
    may: 'fresh-help-people',
    says: "remove a user's two-step methods, so that they sign in with just their password",
    takes: takesPerson,
    tells: userTold,
    run: actOnPerson('removeFactors'),
  }),

  requireSecondFactor: act({
    may: 'fresh-admin',
    says: 'require two steps of a user at each sign-in; off leaves it to the server’s rule',
    example: { required: true },
    takes: z.strictObject({ id: personId, required: yesOrNo }),
    tells: userTold,
    run: async ({ id, required }, { actor, now }) =>
      toldUser(
        await (await users()).requireSecondFactor(await existingUserId(id), required, actor, now),
      ),
  }),

  unlock: act({
    may: 'fresh-help-people',
    says: 'let a user try again immediately after wrong passwords',
    takes: takesPerson,
    tells: userTold,
    async run(said, { actor, now }) {
      const { unlockUser } = await import('../session/sessions.ts');
      return toldUser(await unlockUser(await existingUserId(said.id), actor, now));
    },
  }),
};
