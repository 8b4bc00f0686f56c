/**
 * One value per process, whichever module graph asks first. The server's own
 * modules and Next's bundles are two graphs in one process: a module variable
 * would exist twice, `globalThis` does not.
 */
export function once<T>(name: string, make: () => T): T {
  const key = Symbol.for(`gatehouse.${name}`);
  const holder = globalThis as unknown as Record<symbol, { value: T } | undefined>;
  const held = holder[key];
  if (held) return held.value;
  const value = make();
  holder[key] = { value };
  return value;
}
