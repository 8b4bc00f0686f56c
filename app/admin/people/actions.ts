'use server';

import { safeReturnTo } from '#lib/interaction/return-to.ts';
import { appPasswordActs } from '#lib/management/app-password/acts.ts';
import { identityActs } from '#lib/management/identity/acts.ts';
import { refuseAdmin } from '#lib/management/refusal.ts';
import { sessionActs } from '#lib/management/session/acts.ts';
import { userActs } from '#lib/management/user/acts.ts';
import { controlAt } from '#lib/management/user/said.ts';
import { userWithId } from '#lib/management/user/users.ts';
import type { PlainKey } from '#lib/messages/keys.ts';
import { sentence } from '#lib/messages/sentence.ts';
import { type Role, roles } from '#lib/people/roles.ts';
import { stripBidi } from '../../ui/strip-bidi.ts';
import { doneAt, listOf, textOf, textOrNull } from '../act.ts';
import { doing, shown } from '../doing.ts';
import { groupsIn } from '../groups/read.ts';
import { endIn } from '../ui/last-day.ts';
import { readClaimFields } from './claim-fields.ts';
import { readOwnFields } from './own-fields.ts';

const pageOf = (id: string) => `/admin/people/${id}`;
const idIn = (form: FormData) => ({ id: textOf(form, 'id') });
const userIn = (form: FormData) => ({ user_id: textOf(form, 'id') });
const doneFor = (form: FormData, message: PlainKey) => doneAt(pageOf(textOf(form, 'id')), message);

export type MadePerson = { id: string; username: string; password: string };
const made = ({
  id,
  username,
  password,
}: Omit<MadePerson, 'password'> & { password: string | null }) =>
  shown<MadePerson>({ id, username, password: password ?? '' });

export const addPerson = doing(
  userActs.create,
  (form) => ({
    username: textOf(form, 'username'),
    email: textOf(form, 'email'),
    name: textOf(form, 'name'),
    admin: form.has('admin'),
    email_verified: form.has('emailVerified'),
    groups: groupsIn(form),
    ends_at: endIn(form),
  }),
  made,
);

export const savePerson = doing(
  userActs.update,
  async (form) => ({
    id: textOf(form, 'id'),
    username: textOf(form, 'username'),
    email: textOf(form, 'email'),
    name: textOf(form, 'name'),
    email_verified: form.has('emailVerified'),
    claims: readClaimFields(form),
    fields: await readOwnFields(form),
  }),
  ({ id }) => doneAt(pageOf(id), 'people.saved'),
  {
    seenNow: async (form) => String((await userWithId(textOf(form, 'id'))).updatedAt.getTime()),
    controlOf: controlAt,
  },
);

export const endPersonSession = doing(
  sessionActs.end,
  (form) => ({ ...userIn(form), id: textOf(form, 'session') }),
  (_, form) => doneFor(form, 'people.sessionEnded'),
);

export const unlinkPersonIdentity = doing(
  identityActs.unlink,
  (form) => ({ ...userIn(form), id: textOf(form, 'identity') }),
  ({ user_id, provider_name: provider }) =>
    doneAt(pageOf(user_id), 'people.unlinked', { provider }),
);

/** A new app password, which is shown once. */
export type GivenAppPassword = { name: string; app: string; username: string; secret: string };

export const makeAppPassword = doing(
  appPasswordActs.create,
  (form) => ({
    user: textOf(form, 'id'),
    client: textOf(form, 'client'),
    name: textOf(form, 'name'),
    for: textOrNull(form, 'for') ?? undefined,
    networks: listOf(form, 'networks')
      .map((network) => network.trim())
      .filter(Boolean),
  }),
  ({ name, client_name: app, username, secret }) =>
    shown<GivenAppPassword>({ name: stripBidi(name), app: stripBidi(app), username, secret }),
);

export const endAppPassword = doing(appPasswordActs.end, idIn, ({ name }, form) =>
  doneAt(safeReturnTo(textOf(form, 'back')) ?? '/admin/people', 'appPassword.stopped', { name }),
);

export const signPersonOut = doing(sessionActs.endAll, userIn, (_, form) =>
  doneFor(form, 'people.everywhereDone'),
);

export const letPersonTry = doing(userActs.unlock, idIn, (_, form) =>
  doneFor(form, 'people.tryAgainDone'),
);

export const setPersonRole = doing(
  userActs.setRole,
  (form) => ({ ...idIn(form), role: roleIn(form) }),
  ({ role }, form) => doneFor(form, `people.roleDone.${role}`),
);

const roleIn = (form: FormData): Role =>
  roles.find((each) => each === textOf(form, 'role')) ??
  refuseAdmin('role', sentence('people.chooseRole'));

export const resetPersonPassword = doing(userActs.resetPassword, idIn, made);

export const removePersonFactors = doing(userActs.removeFactors, idIn, (_, form) =>
  doneFor(form, 'people.factorsRemoved'),
);

export const requirePersonSteps = doing(
  userActs.requireSecondFactor,
  (form) => ({ ...idIn(form), required: textOf(form, 'required') === 'on' }),
  ({ require_second_factor: isRequired }, form) =>
    doneFor(form, isRequired ? 'people.stepsRequiredDone' : 'people.stepsOptionalDone'),
);

export const setPersonEnd = doing(
  userActs.setEnd,
  (form) => ({ ...idIn(form), ends_at: endIn(form) }),
  ({ ends_at: end }, form) => doneFor(form, end ? 'people.endsDone' : 'people.endsNever'),
);

export const disablePerson = doing(userActs.disable, idIn, (_, form) =>
  doneFor(form, 'people.disabledDone'),
);

export const enablePerson = doing(userActs.enable, idIn, (_, form) =>
  doneFor(form, 'people.enabledDone'),
);

export const keepPerson = doing(userActs.keep, idIn, (_, form) => doneFor(form, 'people.keptDone'));

export const leaveForGood = doing(
  userActs.leave,
  (form) => ({
    ...idIn(form),
    successor: textOf(form, 'successor'),
    account: accountIn(form),
  }),
  ({ id, username: name, account, apps, ended_api_keys: keys }) =>
    doneAt(account === 'deleted' ? '/admin/people' : pageOf(id), `leave.done.${account}`, {
      name,
      apps: apps.length,
      keys: keys.length,
    }),
);

const accountIn = (form: FormData) =>
  textOf(form, 'account') === 'delete' ? ('delete' as const) : ('disable' as const);

export const deletePerson = doing(userActs.delete, idIn, ({ username }) =>
  doneAt('/admin/people', 'people.removed', { name: username }),
);
