/** One sentence per faulty field. */
export type Faults = Record<string, string>;

/**
 * An admin's request that was refused; nothing has changed. `faults` has a sentence for each faulty
 * field; `field` is the first of them, or null if it is about no field.
 */
export class AdminRefusal extends Error {
  override readonly name = 'AdminRefusal';
  readonly field: string | null;
  readonly faults: Faults;

  constructor(
    field: string | null,
    sentence: string,
    faults: Faults = field === null ? {} : { [field]: sentence },
  ) {
    super(sentence);
    this.field = field;
    this.faults = faults;
  }
}

/** @throws AdminRefusal always */
export function refuseAdmin(field: string | null, sentence: string): never {
  throw new AdminRefusal(field, sentence);
}

/** @throws AdminRefusal if there is any fault */
export function refuseFaults(faults: Faults): void {
  const [first] = Object.entries(faults);
  if (first) throw new AdminRefusal(first[0], first[1], faults);
}

/** The field name of a refusal because someone else saved a change first. */
export const conflictField = 'seen';

/** @throws AdminRefusal always */
export function refuseConflict(what: string): never {
  return refuseAdmin(conflictField, `Someone else changed this ${what}. Check it and try again.`);
}
