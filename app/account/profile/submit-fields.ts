import { actorAt } from '#lib/http/actor.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { redirectWithFlash, withUser } from '#lib/interaction/form.ts';
import { AdminRefusal } from '#lib/management/refusal.ts';
import {
  controlOf,
  type OwnField,
  ownFieldsOf,
  type TypedFields,
} from '#lib/management/user/field-values.ts';
import { updateUser } from '#lib/management/user/user-profile.ts';
import type { MessageKey } from '#lib/messages/keys.ts';
import type { Params } from '#lib/oauth/params.ts';
import { type FieldType, typedOf } from '#lib/people/user-field.ts';
import { profilePage } from './submit.ts';

/** Saves the custom fields that users may change themselves, and ignores any others sent. */
export function submitOwnFields(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withUser(request, now, profilePage, async ({ user }, fields) => {
    const own = (await ownFieldsOf(user.id)).filter(({ editor }) => editor === 'person');
    try {
      const change = { fields: typedIn(own, fields) };
      await updateUser(user.id, change, actorAt(request, user.id), now);
    } catch (error) {
      if (!(error instanceof AdminRefusal)) throw error;
      return redirectWithFlash(profilePage, {
        fieldErrors: errorsOf(error, own),
        values: changedIn(own, fields),
      });
    }
    return redirectWithFlash(profilePage, { done: 'profile.done' });
  });
}

const lines = (text: string) => text.split(/\r?\n/);

/** An empty control empties its field, but `first` would treat it as absent. */
const sentIn = (fields: Params, { name }: OwnField) => fields.get(controlOf(name))?.[0];

/** The typed values. A field whose control was not sent is left unchanged. */
function typedIn(own: readonly OwnField[], fields: Params): TypedFields {
  return Object.fromEntries(
    own.flatMap((field) => {
      const text = sentIn(fields, field);
      if (text === undefined) return [];
      return [[field.name, field.type === 'list' ? lines(text) : [text]]];
    }),
  );
}

const bad: Record<FieldType, MessageKey> = {
  text: 'profile.bad',
  number: 'profile.badNumber',
  switch: 'profile.bad',
  list: 'profile.badList',
};

/**
 * A message for each refused field. If no field is at fault, someone else saved at the same moment.
 */
function errorsOf({ faults }: AdminRefusal, own: readonly OwnField[]): Record<string, MessageKey> {
  const refused = own.filter(({ name }) => faults[controlOf(name)]);
  if (refused.length === 0) return { other: 'profile.bad' };
  return Object.fromEntries(refused.map(({ name, type }) => [controlOf(name), bad[type]]));
}

/** A longer value would be truncated in the cookie, and then be saved like that. */
const longest = 300;

/** The typed values that differ from the stored ones. */
function changedIn(own: readonly OwnField[], fields: Params): Record<string, string> {
  return Object.fromEntries(
    own.flatMap((field) => {
      const text = sentIn(fields, field) ?? '';
      const fits = text.length <= longest && text !== typedOf(field.value);
      return fits ? [[controlOf(field.name), text]] : [];
    }),
  );
}
