import { defaultLocale } from '../messages/locales.ts';
import { type Sentence, sentence } from '../messages/sentence.ts';
import { sentenceIn, sentencesIn } from '../messages/text.ts';

/** What is wrong, by faulty field. */
export type Faults = Record<string, Sentence>;

/**
 * Why something was refused: what it is about is not there; something else is there (somebody changed
 * it meanwhile, or has the name); what was said breaks a rule; or there is no room for more.
 */
export type RefusalKind = 'missing' | 'conflict' | 'refused' | 'full';

/**
 * An admin's request that was refused; nothing has changed. `faults` says what is wrong with each
 * faulty field; `field` is the first of them, or null if it is about no field. Its message is the
 * English sentence, as `sentences` are: the command line, the API and the log say these, and the
 * dashboard says `said` and `faults` in the language of its reader.
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

/** What is wrong, of what was looked at field by field. */
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

/** What somebody else can have changed. */
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
 * Keeps what somebody else has saved since.
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
