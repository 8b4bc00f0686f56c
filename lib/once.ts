/** What this module graph has asked for before: a look-up in `globalThis` costs more than one here. */
const local = new Map<string, unknown>();

/**
 * One value per process, whichever module graph asks first. The server's own
 * modules and Next's bundles are two graphs in one process: a module variable
 * would exist twice, `globalThis` does not.
 */
export function once<T>(name: string, make: () => T): T {
  if (local.has(name)) return local.get(name) as T;
  const key = Symbol.for(`gatehouse.${name}`);
  const holder = globalThis as unknown as Record<symbol, { value: T } | undefined>;
  const held = holder[key];
  if (held) {
    local.set(name, held.value);
    return held.value;
  }
  const value = make();
  holder[key] = { value };
  local.set(name, value);
  return value;
}
