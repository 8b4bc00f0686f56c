/*
 * The order of CLDR's root collation (Unicode Technical Standard 10 and 35, part 5) for names, as a
 * text that both databases compare byte by byte. It covers the alphabets that are spelled out here;
 * letters of other scripts follow their code points, which is near the root's order. A Thai vowel
 * that is written before its consonant sorts as it is written.
 *
 * Columns sort_key store the result (lib/store/sort-keys.ts). If you change a table, empty them in a
 * migration; the next start fills them in again.
 */

import { digitValue } from '../oauth/typed-code.ts';

/** Signs in their order; all stand before digits. */
const signs = [...` _‗-–—―,;:!¡?¿.·'‘’‚‹›"“”„«»()[]{}§¶@*/\\&#%‰†‡•\`^°©®+±÷×<=>|¦~¤¢$£¥€`];

/** Latin letters that are neither a plain letter nor one with marks, each row after its first. */
const latin = [
  'aɑ',
  'bƀɓ',
  'cȼƈ',
  'dɖɗ',
  'eǝəɛ',
  'fƒ',
  'gǥɠɣ',
  'hƕʻʽ',
  'iıɨɩ',
  'jɉ',
  'kƙ',
  'lƚ',
  'nɲƞŋ',
  'oɔɵ',
  'pƥ',
  'qĸ',
  'tŧƭ',
  'uʉʊ',
  'vʋ',
  'yɏƴȝ',
  'zƶʒþƿ',
];
const cyrillic =
  'аәӕбвгґғӻҕӷдђҙеӗєжҗзӟѕӡиҋіїйјкқӄҡҟҝлӆљмӎнӊңӈҥњоөпҧҁрҏсҫтҭћуүұѹфхӽӿҳһѡѿѽѻцҵчҷӌҹҽҿџшщъыьҍѣэюяѥѧѫѩѭѯѱѳѵҩӏ';
const arabic =
  'ءآأٱؤإئاٮبٻپڀةتثٹٺټٽٿجڃڄچڿڇحخځڂڅدذڈډڊڋڌڍڎڏڐرزڑڒړڔڕږڗژڙسشښڛڜصضڝڞطظڟعغڠفڡڢڣڤڥڦٯقڧڨكکڪګڬڭڮگڰڱڲڳڴلڵڶڷڸمنںڻڼڽڹهھہەوۄۅۆۇۈۉۊۋۏىيیۍێېۑے';

/** Letters that sort as others: with a stroke, as two letters, in their form at the end of a word. */
const same = paired(
  ['ø', 'o\u0338', 'đ', 'd\u0335', 'ð', 'd\u0334', 'ł', 'l\u0335', 'ħ', 'h\u0335'],
  ['ß', 's\u0334s', 'æ', 'a\u0334e', 'œ', 'o\u0334e'],
  ['ς', 'σ', 'ך', 'כ', 'ם', 'מ', 'ן', 'נ', 'ף', 'פ', 'ץ', 'צ'],
  ['ぁ', 'あ', 'ぃ', 'い', 'ぅ', 'う', 'ぇ', 'え', 'ぉ', 'お', 'っ', 'つ'],
  ['ゃ', 'や', 'ゅ', 'ゆ', 'ょ', 'よ', 'ゎ', 'わ', 'ゕ', 'か', 'ゖ', 'け'],
);

/** Hiragana by their vowels, which a mark for a long vowel repeats. */
const longVowels = [
  'あかさたなはまやらわぁゃゎゕ',
  'いきしちにひみりぃ',
  'うくすつぬふむゆるぅゅっ',
  'えけせてねへめれぇゖ',
  'おこそとのほもよろをぉょ',
].map((row) => [new RegExp(`([${row}][\u3099\u309a]?)ー`, 'gu'), `$1${row[0]}`] as const);

/** Marks in their order, from the acute to the stroke; the others follow. */
const marks =
  '\u0313\u0314\u0301\u0300\u0306\u0302\u030c\u030a\u0308\u030b\u0303\u0307\u0338\u0327\u0328\u0304\u0335\u0309\u030f\u031b\u0323\u0331\u0334';

const weights = new Map([
  ...signs.map((sign, at) => [sign, `!${String.fromCharCode(0x22 + at)}`] as const),
  ...latin.flatMap(([first = '', ...others]) =>
    others.map((letter, at) => [letter, first + String.fromCodePoint(0xf0000 + at)] as const),
  ),
  ...[...cyrillic].map((letter, at) => [letter, String.fromCharCode(0x400 + at)] as const),
  ...[...arabic].map((letter, at) => [letter, String.fromCharCode(0x600 + at)] as const),
]);

/** Scripts that do not stand where their code points are, and after which letter they do. */
const moved: readonly [RegExp, string][] = [
  [/\p{sc=Georgian}/u, '\u052f'],
  [/\p{sc=Ethiopic}/u, '\u08ff'],
  [/\p{sc=Hangul}/u, '\u303f'],
];

/** More than anybody reads to find a place in a list; an index takes a text of limited length. */
const most = 100;

/**
 * The key by which a list sorts a name: first its letters, without regard to marks and capitals,
 * then its marks. Every row needs a further column that tells names with equal keys apart.
 */
export function sortKey(name: string): string {
  let [letters, accents] = ['', ''];
  for (const sign of elementsOf(name).slice(0, most)) {
    if (isMark(sign)) {
      const at = marks.indexOf(sign);
      accents += at < 0 ? `~${sign}` : String.fromCharCode(0x22 + at);
    } else {
      letters += weightOf(sign);
      accents += '!';
    }
  }
  // The end of the letters sorts before everything that can stand in them.
  return `${letters} ${accents.replace(/!+$/, '')}`.trimEnd();
}

/** Compares two by their names, for lists that are read as a whole. */
export const byName = (one: { name: string }, other: { name: string }): number =>
  Buffer.compare(Buffer.from(sortKey(one.name)), Buffer.from(sortKey(other.name)));

/** Letters and marks one by one: composed and decomposed names are equal, and so are digits. */
function elementsOf(name: string): string[] {
  const plain = name
    .slice(0, most * 4)
    .toWellFormed()
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\s/gu, ' ')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu, '')
    // Letters of their own, although they can be taken apart.
    .replace(/и\u0306|[\u0627\u0648\u064a][\u0653-\u0655]/gu, (letter) => letter.normalize('NFC'))
    .replace(/\p{Nd}/gu, digitValue)
    // Catalan's l with a dot, of which NFKD makes two signs.
    .replace(/(?<=l)·(?=l)/g, '\u0358')
    .replace(/[\u30a1-\u30f6]/gu, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60));
  const long = longVowels.reduce((text, [kana, as]) => text.replace(kana, as), plain);
  return [...long].flatMap((sign) => [...(same.get(sign) ?? sign)]);
}

/** Vowel signs of Indian scripts are letters here. */
const isMark = (sign: string) =>
  /\p{sc=Inherited}|(?=\p{M})[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Cyrillic}]/u.test(sign);

function weightOf(sign: string): string {
  const known = weights.get(sign);
  if (known) return known;
  if (/[\p{P}\p{S}\p{Z}]/u.test(sign)) return `!~${sign}`;
  const lead = moved.find(([script]) => script.test(sign))?.[1] ?? '';
  return lead + sign;
}

function paired(...rows: string[][]): ReadonlyMap<string, string> {
  const all = rows.flat();
  return new Map(
    all.flatMap((sign, at) => (at % 2 === 0 ? [[sign, all[at + 1] ?? sign] as const] : [])),
  );
}
