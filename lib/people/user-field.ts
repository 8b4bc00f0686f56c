import { isSoundText } from '../oauth/name.ts';

export const fieldTypes = ['text', 'number', 'switch', 'list'] as const;
export type FieldType = (typeof fieldTypes)[number];

/** Who may change a field's values; admins always may. */
export const fieldEditors = ['admin', 'person'] as const;
export type FieldEditor = (typeof fieldEditors)[number];

/** A claim that this server defines itself and that people have values for. */
export type UserField = {
  /** The claim. */
  name: string;
  label: string;
  type: FieldType;
  editor: FieldEditor;
  /** The scope with which apps are told the value. */
  scope: string;
};

/** A value, as stored in JSON and as told to apps. */
export type FieldValue = string | number | boolean | readonly string[];

/**
 * The number of fields, and the lengths of a label, a text, one entry of a list and all entries
 * together. A form parameter holds no more.
 */
export const fieldLimits = {
  fields: 50,
  label: 60,
  text: 500,
  entries: 50,
  entry: 200,
  list: 2000,
} as const;

/** One line of text that nothing reorders. */
const isLine = (text: string, most: number) =>
  text.length <= most && !/[\t\r\n]/.test(text) && isSoundText(text, most);

type Read = { value: FieldValue | null } | { fault: FieldType };

/**
 * Reads what was typed for a field: one text, or the entries of a list. Empty input means no value.
 * A fault names the type that the input does not fit.
 */
export function readFieldValue(type: FieldType, typed: readonly string[]): Read {
  const entries = typed.map((text) => text.trim()).filter(Boolean);
  const [text] = entries;
  if (text === undefined) return { value: null };
  const value = type === 'list' ? listOf(entries) : entries.length > 1 ? null : reading[type](text);
  return value === null ? { fault: type } : { value };
}

const reading: Record<Exclude<FieldType, 'list'>, (text: string) => FieldValue | null> = {
  text: (text) => (isLine(text, fieldLimits.text) ? text : null),
  number: numberOf,
  switch: (text) => switches.get(text.toLowerCase()) ?? null,
};

const switches = new Map([
  ...['yes', 'ja', 'true', 'on', '1'].map((word) => [word, true] as const),
  ...['no', 'nein', 'false', 'off', '0'].map((word) => [word, false] as const),
]);

/**
 * A number that JSON and programs keep exactly: 12345678901234567890 would come out changed. A comma
 * before three digits could separate thousands as well as decimals.
 */
function numberOf(text: string): number | null {
  if (!/^[+-]?\d{1,16}(\.\d{1,16}|,(?!\d{3}$)\d{1,16})?$/.test(text)) return null;
  const number = Number(text.replace(',', '.'));
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : null;
}

function listOf(entries: readonly string[]): readonly string[] | null {
  const each = [...new Set(entries)];
  const fits = each.length <= fieldLimits.entries && each.join('').length <= fieldLimits.list;
  return fits && each.every((entry) => isLine(entry, fieldLimits.entry)) ? each : null;
}

/**
 * How a value is shown in a form: one text, or a line for each entry.
 * @param point the sign before the decimals of a number
 */
export function typedOf(value: FieldValue | undefined, point = '.'): string {
  if (value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return String(value).replace('.', point);
  return typeof value === 'object' ? value.join('\n') : value;
}
