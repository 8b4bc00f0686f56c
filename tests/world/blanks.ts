/* Blanks that keyboards and input methods put into passwords (Unicode, category Zs). */
export const blanks: readonly { why: string; blank: string }[] = [
  { why: 'macOS: Option and the space bar', blank: '\u00a0' },
  { why: 'Japanese and Chinese input methods: full width', blank: '\u3000' },
  { why: 'typographers: thin', blank: '\u2009' },
  { why: 'the French keyboard bépo: narrow no-break', blank: '\u202f' },
  { why: 'Word: en space', blank: '\u2002' },
  { why: 'Ogham keyboards', blank: '\u1680' },
];
