'use server';

import { randomInt } from 'node:crypto';
import { refuseAdmin } from '#lib/management/refusal.ts';
import { endSession, signOutEverywhere, unlockUser } from '#lib/management/session/sessions.ts';
import { updateUser } from '#lib/management/user/user-profile.ts';
import {
  createUser,
  deleteUser,
  disableUser,
  enableUser,
  removeFactors,
  resetPassword,
  setRole,
  showUser,
} from '#lib/management/user/users.ts';
import { peopleWords as words } from '#lib/messages/admin/people.ts';
import { roles } from '#lib/people/roles.ts';
import { type Acting, act, doneAt, textOf } from '../act.ts';
import { groupsIn } from '../groups/read.ts';
import type { FormState } from '../ui/forms/state.ts';
import { readClaimFields } from './claim-fields.ts';
import { readOwnFields } from './own-fields.ts';

/** Without look-alikes; 20 characters are 99 bits. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
const newPassword = () => Array.from({ length: 4 }, () => pick(5)).join('-');
const pick = (length: number) =>
  Array.from({ length }, () => letters[randomInt(letters.length)]).join('');

const pageOf = (id: string) => `/admin/people/${id}`;

export type MadePerson = { id: string; username: string; password: string };

export async function addPerson(
  _: FormState<MadePerson>,
  form: FormData,
): Promise<FormState<MadePerson>> {
  return act<MadePerson>('fresh-admin', form, async ({ actor, now }) => {
    const password = newPassword();
    const values = {
      username: textOf(form, 'username'),
      email: textOf(form, 'email'),
      name: textOf(form, 'name'),
    };
    const { id, username } = await createUser(
      {
        ...values,
        password,
        admin: form.has('admin'),
        emailVerified: form.has('emailVerified'),
        mustChangePassword: true,
        groups: groupsIn(form),
      },
      actor,
      now,
    );
    return { serial: now.getTime(), faults: {}, result: { id, username, password } };
  });
}

export async function savePerson(_: FormState, form: FormData): Promise<FormState> {
  const id = textOf(form, 'id');
  const work = async ({ actor, now }: Acting) => {
    const seen = new Date(textOf(form, 'seen'));
    const change = {
      username: textOf(form, 'username'),
      email: textOf(form, 'email'),
      name: textOf(form, 'name'),
      emailVerified: form.has('emailVerified'),
      claims: readClaimFields(form),
      fields: await readOwnFields(form),
    };
    await updateUser(id, change, actor, now, Number.isNaN(seen.getTime()) ? new Date(0) : seen);
    return doneAt(pageOf(id), words.saved);
  };
  return act('fresh-admin', form, work, async () => (await showUser(id)).updatedAt.toISOString());
}

export async function endPersonSession(_: FormState, form: FormData): Promise<FormState> {
  return act('help-people', form, async ({ actor, now }) => {
    await endSession(textOf(form, 'id'), textOf(form, 'session'), actor, now);
    return doneAt(pageOf(textOf(form, 'id')), words.sessionEnded);
  });
}

export async function signPersonOut(_: FormState, form: FormData): Promise<FormState> {
  return act('help-people', form, async ({ actor, now }) => {
    await signOutEverywhere(textOf(form, 'id'), actor, now);
    return doneAt(pageOf(textOf(form, 'id')), words.everywhereDone);
  });
}

export async function letPersonTry(_: FormState, form: FormData): Promise<FormState> {
  return act('fresh-help-people', form, async ({ actor, now }) => {
    await unlockUser(textOf(form, 'id'), actor, now);
    return doneAt(pageOf(textOf(form, 'id')), words.tryAgainDone);
  });
}

export async function setPersonRole(_: FormState, form: FormData): Promise<FormState> {
  return act('fresh-admin', form, async ({ actor, now }) => {
    const role = roles.find((each) => each === textOf(form, 'role'));
    if (!role) return refuseAdmin('role', words.chooseRole);
    await setRole(textOf(form, 'id'), role, actor, now);
    return doneAt(pageOf(textOf(form, 'id')), words.roleDone[role]);
  });
}

export async function resetPersonPassword(
  _: FormState<MadePerson>,
  form: FormData,
): Promise<FormState<MadePerson>> {
  return act<MadePerson>('fresh-help-people', form, async ({ actor, now }) => {
    const password = newPassword();
    const { id, username } = await resetPassword(textOf(form, 'id'), password, actor, now, true);
    return { serial: now.getTime(), faults: {}, result: { id, username, password } };
  });
}

export async function removePersonFactors(_: FormState, form: FormData): Promise<FormState> {
  return act('fresh-help-people', form, async ({ actor, now }) => {
    await removeFactors(textOf(form, 'id'), actor, now);
    return doneAt(pageOf(textOf(form, 'id')), words.factorsRemoved);
  });
}

export async function disablePerson(_: FormState, form: FormData): Promise<FormState> {
  return act('fresh-admin', form, async ({ actor, now }) => {
    await disableUser(textOf(form, 'id'), actor, now);
    return doneAt(pageOf(textOf(form, 'id')), words.disabledDone);
  });
}

export async function enablePerson(_: FormState, form: FormData): Promise<FormState> {
  return act('fresh-admin', form, async ({ actor, now }) => {
    await enableUser(textOf(form, 'id'), actor, now);
    return doneAt(pageOf(textOf(form, 'id')), words.enabledDone);
  });
}

export async function deletePerson(_: FormState, form: FormData): Promise<FormState> {
  return act('fresh-admin', form, async ({ actor, now }) => {
    const { username } = await deleteUser(textOf(form, 'id'), actor, now);
    return doneAt('/admin/people', words.removed(username));
  });
}
