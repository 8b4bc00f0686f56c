import { allLocales, defaultLocale, type Locale, offeredLocales } from './locales.ts';

/** The language preferences as received. Any may be missing or invalid. */
export type Wishes = {
  /** `ui_locales` of the client's request: tags in order of preference. */
  uiLocales?: string;
  /** The user's own choice. */
  profile?: string;
  acceptLanguage?: string;
};

/** Picks the language: from the request, then the user, then the browser, then English. */
export function chooseLocale({
  uiLocales = '',
  profile = '',
  acceptLanguage = '',
}: Wishes): Locale {
  return (
    lookUp(cut(uiLocales).split(' ')) ??
    lookUp([cut(profile).trim()]) ??
    lookUp(rangesIn(acceptLanguage)) ??
    defaultLocale
  );
}

/** No honest browser or client sends more. */
const maxLength = 1000;
const maxRanges = 50;

const cut = (text: string) => text.slice(0, maxLength);

/** The first supported range, truncating each from its end (RFC 4647 section 3.4). */
function lookUp(ranges: readonly string[]): Locale | undefined {
  for (const range of ranges.slice(0, maxRanges)) {
    const subtags = range.toLowerCase().replaceAll('_', '-').split('-');
    for (let length = Math.min(subtags.length, 8); length > 0; length--) {
      // A single letter or digit only introduces what follows it.
      if (subtags[length - 1]?.length === 1) continue;
      const found = byTag.get(subtags.slice(0, length).join('-'));
      if (found) return found;
    }
  }
  return undefined;
}

/** Varieties of English that write dates like British. */
const asBritish = ['en-au', 'en-ie', 'en-in', 'en-nz', 'en-za'];

/**
 * A language without its variety is the one that we have: `pt` is `pt-BR`, and so is `pt-PT`, which
 * is truncated to it. A missing language is not served with its neighbour: people choose those for
 * themselves, in their browser.
 */
const byTag = new Map<string, Locale>([
  ...offeredLocales.map((tag) => [tag.toLowerCase().replace(/-.*/, ''), tag] as const),
  ...allLocales.map((tag) => [tag.toLowerCase(), tag] as const),
  ...asBritish.map((tag) => [tag, 'en-GB'] as const),
]);

/**
 * The ranges of an Accept-Language header, highest weight first (RFC 9110 section 12.5.4). `*` is
 * ignored.
 */
function rangesIn(header: string): string[] {
  return cut(header)
    .split(',')
    .slice(0, maxRanges)
    .map((part) => {
      const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim());
      const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2) ?? '1';
      return { range, weight: /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0 };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ range }) => range);
}
