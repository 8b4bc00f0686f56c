/** What this process has made once (lib/once.ts). Tests take things out and put others in. */
const made = () =>
  (globalThis as unknown as Record<symbol, Map<string, { value: unknown }> | undefined>)[
    Symbol.for('gatehouse.made')
  ];

export const isMade = (name: string): boolean => made()?.has(name) ?? false;

/** What has been made under a name; undefined if nothing has. */
export const madeAs = (name: string): unknown => made()?.get(name)?.value;

/** The names under which something has been made. */
export const allMade = (): string[] => [...(made()?.keys() ?? [])];

/**
 * These threads know nothing about any database. Restarting them takes half a second, because they
 * load dictionaries.
 */
const threads: readonly string[] = ['passwords', 'password-strength'];

/**
 * Forgets these, so that they are made again when next needed. Without names, forgets everything
 * except the threads.
 */
export function forgetMade(...names: readonly string[]): void {
  const forgotten = names.length > 0 ? names : allMade().filter((name) => !threads.includes(name));
  for (const name of forgotten) made()?.delete(name);
}

/** Puts a value under a name, where all code finds it. */
export function putMade(name: string, value: unknown): void {
  made()?.set(name, { value });
}
