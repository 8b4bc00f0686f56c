/** One sentence per faulty field. */
export type Faults = Record<string, string>;

/**
 * Why something was refused: what it is about is not there; something else is there (somebody changed
 * it meanwhile, or has the name); what was said breaks a rule; or there is no room for more.
 */
export type RefusalKind = 'missing' | 'conflict' | 'refused' | 'full';

/**
 * An admin's request that was refused; nothing has changed. `faults` has a sentence for each faulty
 * field; `field` is the first of them, or null if it is about no field.
 */
export class AdminRefusal extends Error {
  override readonly name = 'AdminRefusal';
  readonly field: string | null;
  readonly faults: Faults;
  readonly kind: RefusalKind;

  constructor(
    field: string | null,
    sentence: string,
    faults: Faults = field === null ? {} : { [field]: sentence },
    kind: RefusalKind = 'refused',
  ) {
    super(sentence);
    this.field = field;
    this.faults = faults;
    this.kind = kind;
  }
}

/** @throws AdminRefusal always */
export function refuseAdmin(field: string | null, sentence: string, kind?: RefusalKind): never {
  throw new AdminRefusal(field, sentence, undefined, kind);
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
  const sentence = `Someone else changed this ${what}. Check it and try again.`;
  return refuseAdmin(conflictField, sentence, 'conflict');
}

/** What was thrown; a refusal with its faults at other places. Recognised by its name: Next.js has this class twice. */
function refusalAt(error: unknown, placeOf: (field: string) => string): unknown {
  if (!(error instanceof Error && error.name === 'AdminRefusal')) return error;
  const { field, message, faults, kind } = error as AdminRefusal;
  const moved = Object.entries(faults).map(([name, sentence]) => [placeOf(name), sentence]);
  return new AdminRefusal(field && placeOf(field), message, Object.fromEntries(moved), kind);
}

/** The same of work that is done. @throws AdminRefusal */
export const refusingAt = <T>(placeOf: (field: string) => string, work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw refusalAt(error, placeOf);
  });
