export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** The query parameters of a page. Of a repeated parameter, the first value counts. */
export async function readParams(from: SearchParams): Promise<Record<string, string>> {
  const entries = Object.entries(await from).map(([name, value]) => [
    name,
    [value ?? ''].flat()[0] ?? '',
  ]);
  return Object.fromEntries(entries);
}

/** A value if it is one of a filter's options, else undefined. */
export function knownOption<T extends string>(
  options: readonly T[],
  value: string | undefined,
): T | undefined {
  return options.find((option) => option === value);
}

/** A query parameter that occurs exactly once. */
export function queryValue(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A filter that is on, off or not set. */
export function switchOf(value: string | undefined, yes: string, no: string): boolean | undefined {
  return value === yes ? true : value === no ? false : undefined;
}
