import { once } from '../once.ts';
import type { FieldType, FieldValue, UserField } from '../people/user-field.ts';
import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { namingClaim } from './claim-names.ts';
import { type Columns, read, writeTogether } from './engine/database.ts';
import { distinctMoment } from './engine/distinct-moment.ts';
import { lookingAgain, RevisionCache, raising } from './engine/revision.ts';
import type { Statement } from './engine/statement.ts';
import { normalKey } from './users.ts';

const cache = () => once('cache.user-fields', () => new RevisionCache<UserField[]>(1));

/** All fields of people as of a revision. */
export function fieldsAt(revision: number): Promise<UserField[]> {
  return cache().get('all', revision, listFields);
}

type FieldRow = Columns<'user_fields', 'name' | 'label' | 'type' | 'editor' | 'scope'>;

/** All fields of people, in the order in which they were created. */
export async function listFields(): Promise<UserField[]> {
  const sql =
    'SELECT name, label, type, editor, scope FROM user_fields ORDER BY created_at, name LIMIT 100';
  return (await read<FieldRow>(sql, {})) as UserField[];
}

const fields = 'SELECT name FROM user_fields ORDER BY name';
/**
 * PostgreSQL: makes changes to fields run one after the other, and not while a user gets a value or
 * the scope is being deleted.
 */
const holdingFields = (scope: string): Statement[] => [
  { sql: 'SELECT name FROM scopes WHERE name = :scope FOR KEY SHARE', params: { scope } },
  { sql: `${fields} FOR UPDATE`, params: {} },
];
/** Values can be set at the same time, but not while a field changes. */
export const holdingFieldsForValues: Statement = { sql: `${fields} FOR SHARE`, params: {} };

/**
 * Stores a field, unless there are `most` already, the name exists or some client uses it for a
 * claim of its own, or the scope does not exist.
 */
export async function storeField(
  { name, label, type, editor, scope }: UserField,
  most: number,
  event: AuditEntry,
  now: Date,
): Promise<boolean> {
  const claiming = namingClaim(name);
  const free = `(SELECT COUNT(*) FROM user_fields) <= :most
    AND NOT EXISTS (SELECT 1 FROM clients WHERE ${claiming.sql})`;
  const sql = `INSERT INTO user_fields (name, label, type, editor, scope, created_at)
    SELECT :name, :label, :type, :editor, s.name, :at FROM scopes s WHERE s.name = :scope
      AND (SELECT COUNT(*) FROM user_fields) < :most
      AND NOT EXISTS (SELECT 1 FROM clients WHERE ${claiming.sql})
    ON CONFLICT (name) DO NOTHING RETURNING name`;
  const params = {
    name,
    label,
    type,
    editor,
    scope,
    at: distinctMoment(now),
    most,
    ...claiming.params,
  };
  const again = lookingAgain(free, { most, ...claiming.params });
  const then = [raising(), again, auditing(event, now)];
  return (await writeTogether({ sql, params }, then, holdingFields(scope))).length > 0;
}

/**
 * Changes a field, unless it has changed since it was read as `seen`, its scope does not exist, or
 * its type would change while a user has a value.
 */
export async function changeField(
  field: UserField,
  seen: UserField,
  event: AuditEntry,
  now: Date,
): Promise<boolean> {
  const sql = `UPDATE user_fields SET label = :label, type = :type, editor = :editor, scope = :scope
    WHERE name = :name ${asSeen}
      AND EXISTS (SELECT 1 FROM scopes WHERE name = :scope)
      AND (:type = :seenType OR NOT EXISTS (SELECT 1 FROM user_field_values WHERE field = :name)) RETURNING name`;
  const { name, label, type, editor, scope } = field;
  const params = { name, label, type, editor, scope, ...asSeenOf(seen) };
  const then = [raising(), auditing(event, now)];
  return (await writeTogether({ sql, params }, then, holdingFields(scope))).length > 0;
}

/** SQL: a field is as it was seen. */
const asSeen =
  'AND label = :seenLabel AND type = :seenType AND editor = :seenEditor AND scope = :seenScope';

const asSeenOf = ({ label, type, editor, scope }: UserField) => ({
  seenLabel: label,
  seenType: type,
  seenEditor: editor,
  seenScope: scope,
});

/**
 * Deletes a field with everyone's values; false if there is none, or it has changed since `seen`.
 */
export async function removeField(
  name: string,
  event: AuditEntry,
  now: Date,
  seen?: UserField,
): Promise<boolean> {
  const first = {
    sql: `DELETE FROM user_fields WHERE name = :name ${seen ? asSeen : ''} RETURNING name`,
    params: { name, ...(seen && asSeenOf(seen)) },
  };
  return (await writeTogether(first, [raising(), auditing(event, now)])).length > 0;
}

/** How many people have a value in a field. */
export async function countFieldValues(name: string): Promise<number> {
  const sql = 'SELECT COUNT(*) AS found FROM user_field_values WHERE field = :name';
  return (await read<{ found: number }>(sql, { name }))[0]?.found ?? 0;
}

/** A user's values in these fields, by name. */
export async function fieldValuesOf(userId: string): Promise<Map<string, FieldValue>> {
  const sql = 'SELECT field, value FROM user_field_values WHERE user_id = :userId';
  const rows = await read<Columns<'user_field_values', 'field' | 'value'>>(sql, { userId });
  return new Map(rows.map(({ field, value }) => [field, JSON.parse(value) as FieldValue]));
}

/** A new value for a user; null removes the old one. */
export type ValueChange = { field: string; type: FieldType; value: FieldValue | null };

/**
 * The statements that set values, for the transaction that raises `users.updated_at`. Run them
 * under `holdingFieldsForValues`: a value of a type that the field no longer has is not stored.
 */
export function settingFieldValues(userId: string, changes: readonly ValueChange[]): Statement[] {
  return changes.map(
    ({ field, type, value }): Statement =>
      value === null
        ? {
            sql: 'DELETE FROM user_field_values WHERE user_id = :userId AND field = :field',
            params: { userId, field },
          }
        : {
            sql: `INSERT INTO user_field_values (user_id, field, value, value_key)
            SELECT :userId, f.name, :value, :valueKey FROM user_fields f WHERE f.name = :field AND f.type = :type
            ON CONFLICT (user_id, field) DO UPDATE SET value = excluded.value, value_key = excluded.value_key`,
            params: { userId, field, value: JSON.stringify(value), valueKey: keyOf(value), type },
          },
  );
}

/** The size of index entries is limited. */
const longestKey = 400;

/**
 * The key that a search compares. Each entry of a list begins with a line break, so that it can be
 * found.
 */
function keyOf(value: FieldValue): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text =
    typeof value === 'object'
      ? value.map((entry) => `\n${normalKey(entry)}`).join('')
      : normalKey(String(value));
  return text.slice(0, longestKey).toWellFormed();
}
