/**
 * Where an address leads: its host, and of a scheme that belongs to an app the scheme, since what
 * stands behind that is as its maker likes.
 */
export function placeOf(uri: string): string {
  const { protocol, hostname } = new URL(uri);
  return /^https?:$/.test(protocol) ? hostname : protocol;
}

/** Where any of these addresses lead. */
export const hostsOf = (uris: readonly string[]): string[] => [...new Set(uris.map(placeOf))];

/** What a registered client is known by: where its first address leads. */
export function hostOf(uris: unknown): string {
  const [first] = Array.isArray(uris) ? uris : [];
  return placeOf(String(first));
}
