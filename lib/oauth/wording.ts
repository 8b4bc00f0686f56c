/**
 * What a rule says about something from outside. Programs, logs and commands get it in English. For
 * other languages the catalogue has a message with this key, whose English text is the same
 * (tests/messages/wordings.test.ts).
 */
export type Wording = {
  readonly key: string;
  readonly values: Readonly<Record<string, string | Wording>>;
  readonly english: string;
};

/** @param english with a `{name}` for each value */
export function wording(key: string, english: string, values: Wording['values'] = {}): Wording {
  const said = (value: string | Wording) => (typeof value === 'string' ? value : value.english);
  const filled = english.replace(/\{(\w+)\}/g, (_, name) => said(values[name] ?? ''));
  return { key, values, english: filled };
}
