/** The fields in which two records differ, with old and new values, for the audit log. */
export function difference<T extends object>(
  before: T,
  after: T,
  fields: readonly (keyof T)[],
): Record<string, unknown> {
  const changed = fields.filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  return Object.fromEntries(
    changed.map((field) => [field, { before: before[field], after: after[field] }]),
  );
}
