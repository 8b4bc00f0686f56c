/** What was typed, by field, on its way from one form of this page to another. */
export type Carried = Readonly<Record<string, string>>;

const carries = (name: string) =>
  /^answer-\w{1,40}$/.test(name) || ['name', 'redirectUris', 'homePage'].includes(name);

/** What the address of this page, or a form of it, holds of what was typed. */
export function carriedFrom(values: Readonly<Record<string, string>>): Carried {
  const entries = Object.entries(values).filter(([name, value]) => carries(name) && value);
  return Object.fromEntries(entries.map(([name, value]) => [name, value.slice(0, 2000)]));
}
