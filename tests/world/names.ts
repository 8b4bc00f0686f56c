/* Names as people have them, and as they arrive. `kept` is what is stored. */
export const names: readonly { why: string; typed: string; kept: string }[] = [
  { why: 'Persian with ZWNJ (Unicode 9.2)', typed: 'علی\u200cرضا', kept: 'علی\u200cرضا' },
  { why: 'Sinhala with ZWJ (Unicode 13.2)', typed: 'ශ\u0dca\u200dරී', kept: 'ශ\u0dca\u200dරී' },
  {
    why: 'Malayalam chillu of old keyboards: ZWJ at the end',
    typed: 'മോഹന\u0d4d\u200d',
    kept: 'മോഹന\u0d4d\u200d',
  },
  { why: 'decomposed, from macOS', typed: 'Jose\u0301', kept: 'José' },
  {
    why: 'Japanese with a variation selector (IVS)',
    typed: '葛\u{e0100}西',
    kept: '葛\u{e0100}西',
  },
  { why: 'beyond U+FFFF', typed: '𠮷野', kept: '𠮷野' },
  { why: 'a family of emoji (UTS #51)', typed: '👩\u200d👩\u200d👧', kept: '👩\u200d👩\u200d👧' },
  {
    why: 'the flag of England',
    typed: '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    kept: '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  },
  {
    why: 'an apostrophe, a hyphen, a dotless i',
    typed: 'Ayşe O’Neil-Işık',
    kept: 'Ayşe O’Neil-Işık',
  },
  { why: 'Outlook embeds contacts', typed: '\u202aAda Lovelace\u202c', kept: 'Ada Lovelace' },
  { why: 'directional marks of a chat', typed: '\u200fعلی\u200e', kept: 'علی' },
  { why: 'NBSP and the ideographic space', typed: 'Ada\u00a0L\u3000M', kept: 'Ada L M' },
  {
    why: 'a soft hyphen and a zero width space of a web page',
    typed: 'Love\u00adlace\u200b',
    kept: 'Lovelace',
  },
  { why: 'a BOM and a line end', typed: '\ufeffAda\r\n', kept: 'Ada' },
  {
    why: 'apostrophes (bcgov 4370, golden-ticket 44)',
    typed: "J'Marcus D’Arcy",
    kept: "J'Marcus D’Arcy",
  },
  { why: 'a combination of letters and digits', typed: 'X Æ A-12', kept: 'X Æ A-12' },
  { why: 'Hawaiian ʻokina', typed: 'ʻIolani', kept: 'ʻIolani' },
  { why: 'Catalan', typed: 'Gal·la', kept: 'Gal·la' },
  { why: 'a click letter', typed: 'Nǁng !Xóõ', kept: 'Nǁng !Xóõ' },
  { why: 'Mongolian with a variation selector', typed: 'ᠮᠣᠩᠭᠣᠯ\u180b', kept: 'ᠮᠣᠩᠭᠣᠯ\u180b' },
  {
    why: 'U+FFFD of a system that lost a letter (fxa 6270)',
    typed: '\ufffdMac',
    kept: '\ufffdMac',
  },
  { why: 'an Arabic letter mark', typed: '\u061cمحمد', kept: 'محمد' },
  { why: 'a joiner that joins nothing', typed: 'Ada\u200d L\u200c', kept: 'Ada L' },
];

/** What could disguise a name, or is none. */
export const notNames: readonly { why: string; typed: string }[] = [
  { why: 'an override inside', typed: 'Ada\u202egro.live' },
  { why: 'an isolate inside', typed: 'Ada\u2066x\u2069y' },
  { why: 'a line inside', typed: 'Ada\nBcc' },
  { why: 'NUL', typed: 'Ada\0' },
  { why: 'half a character', typed: 'Ada\ud800' },
  { why: 'a private character', typed: 'Ada\ue000' },
];
