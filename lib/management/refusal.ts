import { defaultLocale } from '../messages/locales.ts';
import { type Sentence, sentence } from '../messages/sentence.ts';
import { sentenceIn, sentencesIn } from '../messages/text.ts';

export type Faults = Record<string, Sentence>;

/**
 * Why something was refused. `missing`: what it is about does not exist. `conflict`: it was changed
 * meanwhile, or its name is taken. `refused`: the input breaks a rule. `full`: no room is left.
 */
export type RefusalKind = 'missing' | 'conflict' | 'refused' | 'full';

/**
 * An admin's request was refused, and nothing has changed. `faults` says what is wrong with each
 * faulty field; `field` is the first of them, or null if no field is at fault. The message and
 * `sentences` are in English, for the command line, the API and the log. The dashboard shows `said`
 * and `faults` in its reader's language.
 */
export class AdminRefusal extends Error {
  override readonly name = 'AdminRefusal';
  readonly field: string | null;
  readonly said: Sentence;
  readonly faults: Faults;
  readonly kind: RefusalKind;

  constructor(
    field: string | null,
    said: Sentence,
    faults: Faults = field === null ? {} : { [field]: said },
    kind: RefusalKind = 'refused',
  ) {
    super(sentenceIn(defaultLocale, said));
    this.field = field;
    this.said = said;
    this.faults = faults;
    this.kind = kind;
  }

  /** A sentence for each faulty field. */
  get sentences(): Record<string, string> {
    return sentencesIn(defaultLocale, this.faults);
  }
}

/** @throws AdminRefusal always */
export function refuseAdmin(field: string | null, said: Sentence, kind?: RefusalKind): never {
  throw new AdminRefusal(field, said, undefined, kind);
}

/** The faults among the results of rules for each field. */
export function faultsIn(judged: Readonly<Record<string, Sentence | null>>): Faults {
  return Object.fromEntries(
    Object.entries(judged).filter((entry): entry is [string, Sentence] => entry[1] !== null),
  );
}

/** @throws AdminRefusal if there is any fault */
export function refuseFaults(faults: Faults): void {
  const [first] = Object.entries(faults);
  if (first) throw new AdminRefusal(first[0], first[1], faults);
}

/** The field name of a refusal because someone else saved a change first. */
export const conflictField = 'seen';

/** What someone else can have changed. */
type Changed =
  | 'account'
  | 'api'
  | 'branding'
  | 'client'
  | 'field'
  | 'group'
  | 'page'
  | 'provider'
  | 'scope'
  | 'setting';

/** @throws AdminRefusal always */
export function refuseConflict(what: Changed): never {
  return refuseAdmin(conflictField, sentence('refused.conflict', { what }), 'conflict');
}

/**
 * Refuses to overwrite what someone else has saved since.
 * @param is when it was last changed, or its version; `seen` is what the editor was shown of that
 * @throws AdminRefusal if they differ
 */
export function checkSeen<Version extends Date | string>(
  what: Changed,
  is: Version,
  seen: Version | undefined,
): void {
  if (seen !== undefined && seen.valueOf() !== is.valueOf()) refuseConflict(what);
}
