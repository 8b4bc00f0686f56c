import { type Sentence, sentence } from '../../messages/sentence.ts';
import {
  type FieldType,
  type FieldValue,
  fieldLimits,
  readFieldValue,
  type UserField,
} from '../../people/user-field.ts';
import { fieldValuesOf, listFields, type ValueChange } from '../../store/user-fields.ts';
import type { Faults } from '../refusal.ts';

export type OwnField = UserField & { value?: FieldValue };

export async function ownFieldsOf(userId: string): Promise<OwnField[]> {
  const [fields, values] = await Promise.all([listFields(), fieldValuesOf(userId)]);
  return fields.map((field) => ({ ...field, value: values.get(field.name) }));
}

/** Typed values by field: one text, or the entries of a list. Fields that are left out stay. */
export type TypedFields = Readonly<Record<string, readonly string[]>>;

/** The name of a field's control, and of its fault. */
export const controlOf = (field: string) => `field.${field}`;

export async function fieldChanges(
  userId: string,
  typed: TypedFields = {},
): Promise<{ changes: ValueChange[]; faults: Faults }> {
  const own = Object.keys(typed).length > 0 ? await ownFieldsOf(userId) : [];
  return changesIn(own, typed);
}

function changesIn(own: readonly OwnField[], typed: TypedFields) {
  const faults: Faults = {};
  const changes = Object.keys(typed).flatMap((name): ValueChange[] => {
    const field = own.find((each) => each.name === name);
    const read = field ? readFieldValue(field.type, typed[name] ?? []) : { fault: null };
    if (field && 'value' in read)
      return isSame(field.value, read.value)
        ? []
        : [{ field: name, type: field.type, value: read.value }];
    faults[controlOf(name)] = sentenceOf(name, 'fault' in read ? read.fault : null);
    return [];
  });
  return { changes, faults };
}

export const newFieldValues = (fields: readonly UserField[], typed: TypedFields = {}) =>
  changesIn(fields, typed);

const isSame = (before: FieldValue | undefined, after: FieldValue | null) =>
  JSON.stringify(before ?? null) === JSON.stringify(after);

const sentences: Record<FieldType, Sentence> = {
  text: sentence('refused.field.text', { most: String(fieldLimits.text) }),
  number: sentence('refused.field.number'),
  switch: sentence('refused.field.switch'),
  list: sentence('refused.field.list', {
    entries: String(fieldLimits.entries),
    entry: String(fieldLimits.entry),
    list: String(fieldLimits.list),
  }),
};

const sentenceOf = (name: string, fault: FieldType | null) =>
  fault === null
    ? sentence('refused.field.missing', { name: name.slice(0, 80) })
    : sentences[fault];
