/** A parameter of a page's address, when it is there once. */
export function one(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
