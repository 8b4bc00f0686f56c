/*
 * Codes as people type them. `of` spells the code that a person was given, in ASCII, as their
 * keyboard or clipboard does.
 */
type Spelling = { why: string; of: (code: string) => string };

const digitsFrom = (zero: number) => (code: string) =>
  code.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
const between = (sign: string) => (code: string) =>
  `${code.slice(0, code.length / 2)}${sign}${code.slice(code.length / 2)}`;
const plain = (code: string) => code.replaceAll('-', '');

export const spellings: readonly Spelling[] = [
  { why: 'as it was shown', of: (code) => code },
  { why: 'Arabic-Indic digits of an iPhone', of: digitsFrom(0x660) },
  { why: 'Persian and Urdu digits', of: digitsFrom(0x6f0) },
  { why: 'Devanagari digits', of: digitsFrom(0x966) },
  { why: 'Bengali digits', of: digitsFrom(0x9e6) },
  { why: 'Thai digits', of: digitsFrom(0xe50) },
  { why: 'Myanmar digits', of: digitsFrom(0x1040) },
  { why: 'mathematical digits beyond U+FFFF', of: digitsFrom(0x1d7d8) },
  {
    why: 'full width, of a Japanese keyboard',
    of: (code) =>
      code.replace(/[0-9A-Z]/g, (sign) => String.fromCodePoint(sign.charCodeAt(0) + 0xfee0)),
  },
  ...[
    ' ',
    '\u00a0',
    '\u2009',
    '\u202f',
    '\u3000',
    '\t',
    '-',
    '\u2010',
    '\u2011',
    '\u2013',
    '\u2014',
    '\u2212',
    '\uff0d',
    '.',
    '·',
  ].map((sign) => ({
    why: `U+${sign.charCodeAt(0).toString(16).padStart(4, '0')} in the middle`,
    of: (code: string) => between(sign)(plain(code)),
  })),
  ...['“”', '""', '()', '[]', '**', '``'].map(([before, after]) => ({
    why: `${before}${after} around it, copied from a mail or a chat`,
    of: (code: string) => `${before}${code}${after}`,
  })),
  { why: 'a number sign before it', of: (code) => `#${code}` },
  { why: 'a comma, as a spreadsheet groups digits', of: (code) => between(',')(plain(code)) },
  { why: 'an apostrophe, as Swiss spreadsheets do', of: (code) => between('’')(plain(code)) },
  {
    why: 'digits as emoji',
    of: (code) => code.replace(/\d/g, (digit) => `${digit}\ufe0f\u20e3`),
  },
  { why: 'a blank after each sign', of: (code) => [...plain(code)].join(' ') },
  { why: 'small letters', of: (code) => code.toLowerCase() },
  { why: 'directional marks of a chat around it', of: (code) => `\u2068${code}\u2069\u200f` },
  { why: 'a zero width space and a line end', of: (code) => `\u200b${code}\r\n` },
];
