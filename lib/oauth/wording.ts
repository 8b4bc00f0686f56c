/**
 * What a rule says of something that came from outside. Programs, logs and commands are told it in
 * English; who says it in another language has the message of this key in its catalogue, which says the
 * same in English (tests/messages/wordings.test.ts).
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
