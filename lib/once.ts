/** Making a symbol costs more than a look-up here. */
const symbols = new Map<string, symbol>();

/**
 * One value per process, whichever module graph asks first. The server's own
 * modules and Next's bundles are two graphs in one process: a module variable
 * would exist twice, `globalThis` does not.
 */
export function once<T>(name: string, make: () => T): T {
  let key = symbols.get(name);
  if (!key) {
    key = Symbol.for(`gatehouse.${name}`);
    symbols.set(name, key);
  }
  const holder = globalThis as unknown as Record<symbol, { value: T } | undefined>;
  const held = holder[key];
  if (held) return held.value;
  const value = make();
  holder[key] = { value };
  return value;
}
