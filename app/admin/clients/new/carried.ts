/** Typed values by field, carried over from one form of this page to another. */
export type Carried = Readonly<Record<string, string>>;

const carries = (name: string) =>
  /^answer-\w{1,40}$/.test(name) || ['name', 'redirectUris', 'homePage'].includes(name);

/** The typed values in the address of this page or in one of its forms. */
export function carriedFrom(values: Readonly<Record<string, string>>): Carried {
  const entries = Object.entries(values).filter(([name, value]) => carries(name) && value);
  return Object.fromEntries(entries.map(([name, value]) => [name, value.slice(0, 2000)]));
}
