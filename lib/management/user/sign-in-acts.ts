import { z } from 'zod';
import { act } from '../act.ts';
import { text, yesOrNo } from '../values.ts';
import { userTold } from './fields.ts';
import { id, known, only, onOne } from './one.ts';
import { madePassword, mustChange, passwordOf } from './password-said.ts';
import { toldUser } from './told.ts';

// Imported late: a command line that only prints its help opens no store.
const users = () => import('./users.ts');

/** Acts that help people who can't sign in. */
export const signInActs = {
  resetPassword: act({
    may: 'fresh-help-people',
    says: "set a user's password; ends their sessions and revokes their tokens",
    takes: z.strictObject({
      id,
      password: text
        .meta({ description: 'the new one; one is made if this is left out' })
        .optional(),
      must_change_password: mustChange,
    }),
    tells: userTold.extend({ password: madePassword }),
    async run({ id, password: said, must_change_password: asked }, { actor, now }) {
      const { password, made } = await passwordOf(said);
      // Users who only help people must never know a password of theirs that stays valid.
      const mustChange = actor.reach === 'people' || (asked ?? made !== null);
      const { resetPassword } = await users();
      const user = await resetPassword(await known(id), password, actor, now, mustChange);
      return { ...toldUser(user), password: made };
    },
  }),

  removeFactors: act({
    may: 'fresh-help-people',
    says: "remove a user's two-step methods, so that they sign in with just their password",
    takes: only,
    tells: userTold,
    run: onOne('removeFactors'),
  }),

  requireSecondFactor: act({
    may: 'fresh-admin',
    says: 'require two steps of a user at each sign-in; off leaves it to the server’s rule',
    takes: z.strictObject({ id, required: yesOrNo }),
    tells: userTold,
    run: async ({ id, required }, { actor, now }) =>
      toldUser(await (await users()).requireSecondFactor(await known(id), required, actor, now)),
  }),

  unlock: act({
    may: 'fresh-help-people',
    says: 'let a user try to sign in again at once after wrong passwords',
    takes: only,
    tells: userTold,
    async run(said, { actor, now }) {
      const { unlockUser } = await import('../session/sessions.ts');
      return toldUser(await unlockUser(await known(said.id), actor, now));
    },
  }),
};
