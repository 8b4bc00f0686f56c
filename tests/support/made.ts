import type { Handles } from '#lib/once.ts';

type Name = keyof Handles;

/** What this process has made once (lib/once.ts). Tests take things out and put others in. */
const made = () =>
  (globalThis as unknown as Record<symbol, Map<string, { value: unknown }> | undefined>)[
    Symbol.for('gatehouse.made')
  ];

export const isMade = (name: Name): boolean => made()?.has(name) ?? false;

/** What has been made under a name; undefined if nothing has. */
export const madeAs = (name: Name): unknown => made()?.get(name)?.value;

/** The names under which something has been made. */
export const allMade = (): Name[] => [...(made()?.keys() ?? [])] as Name[];

/**
 * These threads know nothing about any database. Restarting them takes half a second, because they
 * load dictionaries.
 */
const threads: readonly Name[] = ['passwords', 'password-strength'];

/**
 * Forgets these, so that they are made again when next needed. Without names, forgets everything
 * except the threads.
 */
export function forgetMade(...names: readonly Name[]): void {
  const forgotten = names.length > 0 ? names : allMade().filter((name) => !threads.includes(name));
  for (const name of forgotten) made()?.delete(name);
}

/** Puts a value under a name, where all code finds it. */
export function putMade<N extends Name>(name: N, value: Handles[N]): void {
  made()?.set(name, { value });
}
