/** A decoded part of a path; badly encoded text stays unchanged. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
