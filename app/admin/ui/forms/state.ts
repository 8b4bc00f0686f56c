/** What a server action says about the form it got. */
export type FormState<Result = never> = {
  /** Counts the answers, so that the form notices each. */
  serial: number;
  /** What is wrong with it as a whole. */
  error?: string;
  /** What is wrong, by field. */
  faults: Record<string, string>;
  /** What was typed, by field; a field may be there several times. */
  values?: Record<string, string[]>;
  /** Where to sign in again before this may be done. */
  signInHref?: string;
  /** Somebody else's version, to be looked at beside what was typed. */
  compareHref?: string;
  /** What the act gave, where the page that follows must show it at once: a new secret. */
  result?: Result;
};

export const untouched: FormState = { serial: 0, faults: {} };

/** What a form may hold of its own; files and what React adds are left out. */
export function typedIn(form: FormData): Record<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of form) {
    if (typeof value !== 'string' || name.startsWith('$ACTION') || name === '__proto__') continue;
    const before = values.get(name);
    if (before) before.push(value);
    else values.set(name, [value]);
  }
  return Object.fromEntries(values);
}
