import { sentence } from '../../messages/sentence.ts';
import { isSoundName } from '../../oauth/name.ts';
import { claimName, isReservedClaim } from '../../oauth/reserved-claims.ts';
import {
  type FieldEditor,
  type FieldType,
  fieldEditors,
  fieldLimits,
  fieldTypes,
  type UserField,
} from '../../people/user-field.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import { findClientNaming } from '../../store/claim-names.ts';
import { findClientRecord } from '../../store/client-list.ts';
import { listScopes } from '../../store/scopes.ts';
import * as store from '../../store/user-fields.ts';
import { difference } from '../difference.ts';
import type { Editing } from '../editing.ts';
import { checkNotKept, checkScopeTellsNoMore } from '../kept.ts';
import { fieldLoosens } from '../loosening.ts';
import { checkSeen, type Faults, refuseAdmin, refuseConflict, refuseFaults } from '../refusal.ts';
import { versionOf } from '../version.ts';
import { type FieldField, fieldFieldNames } from './fields.ts';

export type { UserField };

/** All fields of people, in the order they were made. */
export const listFields = store.listFields;

/** How many people have a value in a field, and would lose it if the field was deleted. */
export const countOfField = store.countFieldValues;

/** The field of this name. @throws AdminRefusal */
export async function showField(name: string): Promise<UserField> {
  const field = (await listFields()).find((each) => each.name === name);
  const said = sentence('refused.field.missing', { name: name.slice(0, 80) });
  return field ?? refuseAdmin('name', said, 'missing');
}

/** As typed. Fields that are left out stay as they are. */
type FieldChange = { [Field in FieldField]?: string };

/**
 * Makes a field of people. If it loosens anything, `onLoosening` is called first and may throw.
 * @throws AdminRefusal
 */
export async function createField(
  { name: typedName, ...input }: FieldChange & { name: string },
  actor: Actor,
  now: Date,
  onLoosening?: () => void,
): Promise<UserField> {
  const name = typedName.trim();
  const blank: UserField = { name, label: '', type: 'text', editor: 'admin', scope: '' };
  const { field, faults } = await fieldAfter(blank, input);
  refuseFaults({ ...nameFaults(name), ...(await takenFaults(name)), ...faults });
  await checkScopeTellsNoMore(field.scope, actor);
  if (fieldLoosens(null, field)) onLoosening?.();
  const event = eventBy(actor, 'field.created', { detail: { ...field } });
  if (!(await store.storeField(field, fieldLimits.fields, event, now))) await refuseNew(field);
  return field;
}

/** Explains why a field could not be made. @throws AdminRefusal always */
async function refuseNew({ name }: UserField): Promise<never> {
  const fields = await listFields();
  if (fields.some((field) => field.name === name))
    refuseAdmin('name', sentence('refused.field.taken', { name }), 'conflict');
  refuseFaults(await takenFaults(name));
  if (fields.length >= fieldLimits.fields)
    refuseAdmin(null, sentence('refused.field.full', { most: fieldLimits.fields }), 'full');
  return refuseConflict('scope');
}

/**
 * Changes a field; its name stays. With `seen` (the version that was edited) a concurrent change is
 * refused. The type can't change once anyone has a value, which would not fit. If it loosens
 * anything, `onLoosening` is called first and may throw.
 * @throws AdminRefusal
 */
export async function updateField(
  name: string,
  change: FieldChange,
  { actor, now, seen, onLoosening }: Editing<string>,
): Promise<UserField> {
  const before = await showField(name);
  await checkNotKept({ kind: 'field', key: name }, actor);
  checkSeen('field', versionOfField(before), seen);
  const { field: after, faults } = await fieldAfter(before, change);
  refuseFaults(faults);
  if (!isDifferent(before, after)) return before;
  if (after.type !== before.type) await checkEmpty(name);
  if (after.scope !== before.scope) await checkScopeTellsNoMore(after.scope, actor);
  if (fieldLoosens(before, after)) onLoosening?.();
  const detail = { name, ...difference(before, after, fieldFieldNames) };
  const event = eventBy(actor, 'field.updated', { detail });
  if (!(await store.changeField(after, before, event, now))) refuseConflict('field');
  return after;
}

/** The version of a field that a form or an API client was shown. */
export const versionOfField = (field: UserField) =>
  versionOf(field.name, ...fieldFieldNames.map((part) => field[part]));

const isDifferent = (one: UserField, other: UserField) =>
  fieldFieldNames.some((part) => one[part] !== other[part]);

/** @throws AdminRefusal if anyone has a value */
async function checkEmpty(name: string): Promise<void> {
  const people = await countOfField(name);
  if (people > 0) refuseAdmin('type', sentence('refused.field.inUse', { people }));
}

/**
 * Deletes a field with everyone's values, and returns how many people had one. `seen` as in
 * `updateField`.
 * @throws AdminRefusal
 */
export async function deleteField(
  name: string,
  actor: Actor,
  now: Date,
  seen?: string,
): Promise<UserField & { people: number }> {
  const field = await showField(name);
  await checkNotKept({ kind: 'field', key: name }, actor);
  checkSeen('field', versionOfField(field), seen);
  const people = await countOfField(name);
  const event = eventBy(actor, 'field.deleted', { detail: { name, people } });
  if (!(await store.removeField(name, event, now, seen === undefined ? undefined : field))) {
    await showField(name);
    refuseConflict('field');
  }
  return { ...field, people };
}

async function fieldAfter(
  before: UserField,
  change: FieldChange,
): Promise<{ field: UserField; faults: Faults }> {
  const typed = { ...before, ...given(change) };
  const scopes = await listScopes();
  const faults: Faults = {};
  if (!isSoundName(typed.label, fieldLimits.label))
    faults.label = sentence('refused.field.label', { most: String(fieldLimits.label) });
  if (!(fieldTypes as readonly string[]).includes(typed.type))
    faults.type = sentence('refused.field.type', { types: fieldTypes.join(', ') });
  if (!(fieldEditors as readonly string[]).includes(typed.editor))
    faults.editor = sentence('refused.field.editor');
  if (!scopes.some(({ name }) => name === typed.scope))
    faults.scope = sentence('refused.field.scope');
  const field = { ...typed, type: typed.type as FieldType, editor: typed.editor as FieldEditor };
  return { field, faults };
}

/** The given texts, trimmed. */
const given = (change: FieldChange) =>
  Object.fromEntries(
    fieldFieldNames.flatMap((part) => {
      const text = change[part];
      return text === undefined ? [] : [[part, text.trim()]];
    }),
  );

function nameFaults(name: string): Faults {
  if (!claimName.test(name)) return { name: sentence('refused.field.name') };
  return isReservedClaim(name) ? { name: sentence('refused.field.reserved', { name }) } : {};
}

/** What people may fill in must not be mistaken for a value that is set for one app. */
async function takenFaults(name: string): Promise<Faults> {
  const id = await findClientNaming(name);
  const client = id === null ? null : await findClientRecord(id);
  if (!client) return {};
  const holdsGroups = client.groupsClaim === name;
  const key = holdsGroups ? 'refused.field.namesGroups' : 'refused.field.namesConstant';
  return { name: sentence(key, { app: client.shownName, name }) };
}
