import type { Handles } from '#lib/once.ts';

type Name = keyof Handles;

/** What this process has made once (lib/once.ts): a test takes things out, and puts others in. */
const made = () =>
  (globalThis as unknown as Record<symbol, Map<string, { value: unknown }> | undefined>)[
    Symbol.for('gatehouse.made')
  ];

export const isMade = (name: Name): boolean => made()?.has(name) ?? false;

/** What has been made under a name; undefined: nothing. */
export const madeAs = (name: Name): unknown => made()?.get(name)?.value;

/** The names under which something has been made. */
export const allMade = (): Name[] => [...(made()?.keys() ?? [])] as Name[];

/** Threads that know nothing of any database; starting them again, with their dictionaries, takes half a second. */
const threads: readonly Name[] = ['passwords', 'password-strength'];

/** Lets whoever asks next make them again; without names, everything but threads. */
export function forgetMade(...names: readonly Name[]): void {
  const forgotten = names.length > 0 ? names : allMade().filter((name) => !threads.includes(name));
  for (const name of forgotten) made()?.delete(name);
}

/** Has everybody find this under a name. */
export function putMade<N extends Name>(name: N, value: Handles[N]): void {
  made()?.set(name, { value });
}
