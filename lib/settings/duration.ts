import { type Wording, wording } from '../oauth/wording.ts';

const sizes = { second: 1, minute: 60, hour: 3600, day: 86_400, week: 604_800 };

/** The languages in which durations are read: those of the screens (tests/oauth/duration.test.ts). */
const tags = ['en', 'de'];

/** Seconds, by every word that one of the languages has for a unit, in short and in full. */
const units = new Map(
  tags.flatMap((tag) =>
    Object.entries(sizes).flatMap(([unit, size]) =>
      [...namesOf(tag, unit as keyof typeof sizes)].map((name) => [name, size] as const),
    ),
  ),
);

function namesOf(tag: string, unit: keyof typeof sizes): Set<string> {
  const parts = (['long', 'short', 'narrow'] as const).flatMap((unitDisplay) => {
    const format = new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay });
    return [...format.formatToParts(1), ...format.formatToParts(2)];
  });
  const names = parts.filter(({ type }) => type === 'unit').map(({ value }) => value);
  // "in 2 Tagen" has a form of its own.
  names.push(new Intl.RelativeTimeFormat(tag).formatToParts(2, unit).at(-1)?.value ?? '');
  return new Set(names.map((name) => plainWord(name.trim().toLowerCase())));
}

function plainWord(word: string): string {
  return word.replace(/\.$/, '');
}

const halves = ['half', 'halb', 'halbe', 'halben', 'halber', 'halbes'];
const ones = ['a', 'an', 'one', 'ein', 'eine', 'einen', 'einem', 'einer'];
const amounts = new Map([
  ...ones.map((word) => [word, 1] as const),
  ...halves.map((word) => [word, 0.5] as const),
]);

const joints = new Set(['', 'and', 'of', 'und']);

/** The typed text as whole seconds, or why it was not understood. */
type DurationRead = { seconds: number } | { fault: Wording };

/** Longer texts are not read as durations. */
const longestText = 80;

/**
 * Reads a duration as people write it, in the languages of the screens: "90 minutes", "1 h 30 min",
 * "1.5 hours", "an hour", "30 Tage", "2,5 Std.". A number alone is a number of seconds.
 */
export function readDuration(text: string): DurationRead {
  const typed = text.trim();
  if (typed === '') return { fault: wording('refused.duration.empty', 'Nothing was entered.') };
  if (typed.length > longestText)
    return { fault: wording('refused.duration.long', 'The text is too long for a duration.') };
  if (/^\d{1,12}$/.test(typed)) return { seconds: Number(typed) };
  return readParts(wordsOf(typed));
}

/** A number of seconds in exact words: "1 hour 30 minutes". */
export function sayDuration(seconds: number): string {
  const parts: string[] = [];
  let left = seconds;
  for (const [unit, size] of [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
    ['second', 1],
  ] as const) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(`${count} ${unit}${count === 1 ? '' : 's'}`);
  }
  return parts.join(' ') || '0 seconds';
}

/** Splits numbers from words: "1h30" becomes 1, h, 30. */
function wordsOf(text: string): string[] {
  const spaced = text
    .toLowerCase()
    .replace(/(?<=\d)(?=\p{L})|(?<=\p{L})(?=\d)/gu, ' ')
    .replace(/,(?=\s)/g, ' ');
  return spaced.split(/\s+/).filter((word) => !joints.has(word));
}

function readParts(words: readonly string[]): DurationRead {
  let total = 0;
  for (let at = 0; at < words.length; ) {
    const part = readPart(words.slice(at));
    if ('fault' in part) return part;
    total += part.seconds;
    at += part.words;
  }
  // Fractions such as 0.1 are not exact in binary.
  const seconds = Math.round(total);
  if (Math.abs(total - seconds) > 1e-6)
    return {
      fault: wording('refused.duration.fraction', 'It isn’t a whole number of seconds.'),
    };
  return { seconds };
}

/** The first amount and its unit, and how many words they are. */
function readPart([word = '', ...rest]: readonly string[]):
  | { seconds: number; words: number }
  | { fault: Wording } {
  const first = amountOf(word);
  if (first === undefined)
    return {
      fault: wording('refused.duration.number', '“{word}” isn’t a number.', {
        word: shortened(word),
      }),
    };
  // "half an hour", "eine halbe Stunde"
  const second = amounts.has(word) ? amounts.get(rest[0] ?? '') : undefined;
  const unit = rest[second === undefined ? 0 : 1];
  if (unit === undefined)
    return {
      fault: wording(
        'refused.duration.noUnit',
        'It doesn’t say what {word} counts: add minutes, hours or days.',
        { word: shortened(word) },
      ),
    };
  const size = sizeOf(unit);
  if (size === undefined)
    return {
      fault: wording(
        'refused.duration.unit',
        '“{word}” isn’t a unit of time. Use seconds, minutes, hours, days or weeks.',
        { word: shortened(unit) },
      ),
    };
  return { seconds: first * (second ?? 1) * size, words: second === undefined ? 2 : 3 };
}

/** A comma before three digits could separate thousands as well as decimals. */
function amountOf(word: string): number | undefined {
  const named = amounts.get(word);
  if (named !== undefined) return named;
  return /^\d{1,12}(?:\.\d{1,6}|,(?!\d{3}$)\d{1,6})?$/.test(word)
    ? Number(word.replace(',', '.'))
    : undefined;
}

function sizeOf(word: string): number | undefined {
  const plain = plainWord(word);
  return units.get(plain) ?? (plain.length > 2 ? units.get(plain.replace(/s$/, '')) : undefined);
}

const shortened = (word: string) => (word.length > 20 ? `${word.slice(0, 20)}…` : word);
