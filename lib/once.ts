/**
 * The values made so far, by name. The server's own modules and Next's bundles are two module
 * graphs in one process: a module variable would exist twice, `globalThis` exists once.
 */
const made: Map<string, { value: unknown }> = shared();

function shared(): Map<string, { value: unknown }> {
  const key = Symbol.for('gatehouse.made');
  const holder = globalThis as unknown as Record<symbol, typeof made | undefined>;
  holder[key] ??= new Map();
  return holder[key];
}

/**
 * One value per process, whichever module graph asks first. A promise that rejects is forgotten, so
 * that the next caller tries again.
 * @param name stands in one file of the code only, which knows the value's type
 */
export function once<T>(name: string, make: () => T): T {
  const held = made.get(name);
  if (held) return held.value as T;
  const value = make();
  const own = { value };
  made.set(name, own);
  if (value instanceof Promise)
    value.catch(() => {
      if (made.get(name) === own) made.delete(name);
    });
  return value;
}
