export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** The parameters of a page's address, each once. */
export async function readParams(from: SearchParams): Promise<Record<string, string>> {
  const entries = Object.entries(await from).map(([name, value]) => [
    name,
    [value ?? ''].flat()[0] ?? '',
  ]);
  return Object.fromEntries(entries);
}

/** A value that is one of those a filter has, else undefined. */
export function oneOf<T extends string>(
  options: readonly T[],
  value: string | undefined,
): T | undefined {
  return options.find((option) => option === value);
}

/** A part of a page's path as it was meant; text that is not well encoded stays as it is. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
