import { anyLanguage } from '../own-words.ts';

/*
 * Terms of use: this server's, and those of single apps. Of the versions in force, the one that
 * began last counts, and whoever agreed to it is done.
 */

/** A version, as far as rules need it. */
export type TermsVersion = {
  id: string;
  name: string;
  /** The app whose terms they are; null: this server's. */
  clientId: string | null;
  /** From then on people are asked. */
  holdsFrom: Date;
  /** From then on those who have not agreed may use no app, or not this one. */
  requiredFrom: Date;
  /** When an admin stopped asking for it. */
  endedAt: Date | null;
};

export const termsAnswers = ['agreed', 'later', 'declined'] as const;
export type TermsAnswer = (typeof termsAnswers)[number];

/** What somebody last answered to a version, and when. */
export type Answered = { termsId: string; answer: TermsAnswer; at: Date };

/** What somebody has still to agree to; `must`: before they go on. */
export type TermsDue = { terms: TermsVersion; must: boolean };

/** How long nobody is asked again after “Later”, in milliseconds. */
const putOffFor = 24 * 3600_000;

/** The versions in force of a server or an app, the one that counts last. */
export const inForce = <Version extends TermsVersion>(
  versions: readonly Version[],
  clientId: string | null,
  now: Date,
): Version[] =>
  versions
    .filter((each) => each.clientId === clientId && each.endedAt === null && each.holdsFrom <= now)
    .sort((one, other) => one.holdsFrom.getTime() - other.holdsFrom.getTime());

/**
 * Judges what somebody has agreed to. A version that they let pass stays due: time to think about
 * a newer one is not time to think about that one.
 * @param versions those in force, in order
 * @returns null if they have agreed, or answered “Later” lately and still may
 */
export function termsDue(
  versions: readonly TermsVersion[],
  answers: readonly Answered[],
  now: Date,
): TermsDue | null {
  const answerTo = ({ id }: TermsVersion) => answers.find(({ termsId }) => termsId === id);
  const agreed = versions.findLastIndex((each) => answerTo(each)?.answer === 'agreed');
  const open = versions.slice(agreed + 1);
  const terms = open.at(-1);
  if (!terms) return null;
  if (open.some(({ requiredFrom }) => requiredFrom <= now)) return { terms, must: true };
  const last = answerTo(terms);
  const isPutOff = last?.answer === 'later' && now.getTime() - last.at.getTime() < putOffFor;
  return isPutOff ? null : { terms, must: false };
}

/** The language of the text that readers of a language are shown. */
export function languageShown(texts: Readonly<Record<string, string>>, locale: string): string {
  const wanted = [locale, locale.split('-')[0] ?? locale];
  return wanted.find((tag) => Object.hasOwn(texts, tag)) ?? anyLanguage;
}

/** `past`: a later version has taken its place. */
export type TermsState = 'planned' | 'asked' | 'required' | 'past' | 'ended';

/** The state of a version among all. */
export function termsState(
  terms: TermsVersion,
  all: readonly TermsVersion[],
  now: Date,
): TermsState {
  if (terms.endedAt !== null) return 'ended';
  if (terms.holdsFrom > now) return 'planned';
  if (inForce(all, terms.clientId, now).at(-1)?.id !== terms.id) return 'past';
  return terms.requiredFrom <= now ? 'required' : 'asked';
}

/** How many days people have to think. */
export const daysToThink = ({ holdsFrom, requiredFrom }: TermsVersion): number =>
  Math.round((requiredFrom.getTime() - holdsFrom.getTime()) / 86_400_000);
