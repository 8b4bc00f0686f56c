import { type Wording, wording } from '../oauth/wording.ts';

const units: Record<string, number> = {
  s: 1,
  sec: 1,
  second: 1,
  m: 60,
  min: 60,
  minute: 60,
  h: 3600,
  hr: 3600,
  hour: 3600,
  d: 86_400,
  day: 86_400,
  w: 604_800,
  wk: 604_800,
  week: 604_800,
};

const amounts: Record<string, number> = { a: 1, an: 1, one: 1, half: 0.5 };

/** The typed text as whole seconds, or why it was not understood. */
type DurationRead = { seconds: number } | { fault: Wording };

/** Longer texts are not read as durations. */
const longestText = 80;

/**
 * Reads a duration as people write it: "90 minutes", "1 h 30 min", "1.5 hours", "an hour", "30
 * days". A number alone is a number of seconds.
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
  return spaced.split(/\s+/).filter((word) => word !== '' && word !== 'and' && word !== 'of');
}

function readParts(words: readonly string[]): DurationRead {
  let total = 0;
  for (let at = 0; at < words.length; ) {
    const word = words[at] ?? '';
    const amount = amountOf(word);
    if (amount === undefined)
      return {
        fault: wording('refused.duration.number', '“{word}” isn’t a number.', {
          word: shortened(word),
        }),
      };
    // "half an hour"
    const skipped = amount < 1 && amountOf(words[at + 1] ?? '') === 1 ? 1 : 0;
    const unit = words[at + 1 + skipped];
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
    total += amount * size;
    at += 2 + skipped;
  }
  // Fractions such as 0.1 are not exact in binary.
  const seconds = Math.round(total);
  if (Math.abs(total - seconds) > 1e-6)
    return {
      fault: wording('refused.duration.fraction', 'It isn’t a whole number of seconds.'),
    };
  return { seconds };
}

function amountOf(word: string): number | undefined {
  if (Object.hasOwn(amounts, word)) return amounts[word];
  return /^\d{1,12}(?:\.\d{1,6})?$/.test(word) ? Number(word) : undefined;
}

function sizeOf(word: string): number | undefined {
  const plain = word.replace(/\.$/, '');
  const singular = plain.length > 2 && plain.endsWith('s') ? plain.slice(0, -1) : plain;
  return Object.hasOwn(units, singular) ? units[singular] : undefined;
}

const shortened = (word: string) => (word.length > 20 ? `${word.slice(0, 20)}…` : word);
