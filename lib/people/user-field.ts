/** What a field of one's own can hold. */
export const fieldTypes = ['text', 'number', 'switch', 'list'] as const;
export type FieldType = (typeof fieldTypes)[number];

/** Who may change its values; admins always may. */
export const fieldEditors = ['admin', 'person'] as const;
export type FieldEditor = (typeof fieldEditors)[number];

/** A claim of this server's own that people have values of. */
export type UserField = {
  /** The claim. */
  name: string;
  /** What people read. */
  label: string;
  type: FieldType;
  editor: FieldEditor;
  /** Apps are told it with this scope. */
  scope: string;
};

/** As it is kept, in JSON, and told to apps. */
export type FieldValue = string | number | boolean | readonly string[];

/**
 * At most so many fields; so long a label, a text, each entry of a list and all of them together:
 * the parameter of a form holds no more.
 */
export const fieldLimits = {
  fields: 50,
  label: 60,
  text: 500,
  entries: 50,
  entry: 200,
  list: 2000,
} as const;

/** One line without control characters or half characters. */
const isLine = (text: string, most: number) =>
  text.length <= most && !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text);

type Read = { value: FieldValue | null } | { fault: FieldType };

/**
 * Reads what was typed for a field: one text, or the entries of a list. Nothing typed is no value.
 * A fault names the type that it does not fit.
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
  ...['yes', 'true', 'on', '1'].map((word) => [word, true] as const),
  ...['no', 'false', 'off', '0'].map((word) => [word, false] as const),
]);

/** One that JSON and a program keep as it is: 12345678901234567890 would come out as another. */
function numberOf(text: string): number | null {
  if (!/^[+-]?\d{1,16}(\.\d{1,16})?$/.test(text)) return null;
  const number = Number(text);
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : null;
}

function listOf(entries: readonly string[]): readonly string[] | null {
  const each = [...new Set(entries)];
  const fits = each.length <= fieldLimits.entries && each.join('').length <= fieldLimits.list;
  return fits && each.every((entry) => isLine(entry, fieldLimits.entry)) ? each : null;
}

/** How a value stands in a form: one text, or a line for each entry. */
export function typedOf(value: FieldValue | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'object' ? value.join('\n') : String(value);
}
