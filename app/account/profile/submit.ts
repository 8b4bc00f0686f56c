import { actorAt } from '#lib/http/actor.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { redirectWithFlash, withUser } from '#lib/interaction/form.ts';
import { AdminRefusal } from '#lib/management/refusal.ts';
import { addressFields, claimsAfter, profileFields } from '#lib/management/user/claims.ts';
import { updateUser } from '#lib/management/user/user-profile.ts';
import { type UserRecord, userWithId } from '#lib/management/user/users.ts';
import type { MessageKey } from '#lib/messages/keys.ts';
import { first, type Params } from '#lib/oauth/params.ts';

export const profilePage = '/account/profile';

export function submitProfile(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withUser(request, now, profilePage, async ({ user }, fields) => {
    const actor = actorAt(request, user.id);
    const before = await userWithId(user.id);
    const change = {
      name: first(fields, 'name') ?? null,
      claims: claimsAfter(before.claims, typedClaims(fields)),
    };
    try {
      await updateUser(user.id, change, actor, now);
    } catch (error) {
      if (!(error instanceof AdminRefusal)) throw error;
      return redirectWithFlash(profilePage, {
        fieldErrors: errorsOf(error),
        values: typedIn(fields, before),
      });
    }
    return redirectWithFlash(profilePage, { done: 'profile.done' });
  });
}

/** A message for each refused field. Parts of the address use their own field names. */
function errorsOf({ faults }: AdminRefusal): Record<string, MessageKey> {
  const known: readonly string[] = ['name', ...profileFields, ...addressFields];
  const names = Object.keys(faults).map((path) => path.split('.').at(-1) ?? path);
  const errors = names.map(
    (name) => [known.includes(name) ? name : 'other', badFields[name] ?? 'profile.bad'] as const,
  );
  return Object.fromEntries(errors);
}

const badFields: Record<string, MessageKey> = {
  name: 'setup.nameBad',
  birthdate: 'profile.badBirthdate',
  website: 'profile.badLink',
  profile: 'profile.badLink',
};

/** The typed values that differ from the stored ones, because a cookie has little room. */
function typedIn(
  fields: Params,
  { name, claims: { address, ...claims } }: UserRecord,
): Record<string, string> {
  const stored: Record<string, unknown> = { ...claims, ...address, name };
  const typed = ['name', ...profileFields, ...addressFields].map(
    (field) => [field, first(fields, field) ?? ''] as const,
  );
  return Object.fromEntries(
    typed.filter(([field, value]) => value !== String(stored[field] ?? '')),
  );
}

/** All fields of the form; a missing one counts as empty. */
function typedClaims(fields: Params): Record<string, string> {
  const names = [...profileFields, ...addressFields];
  return Object.fromEntries(names.map((name) => [name, first(fields, name) ?? '']));
}
