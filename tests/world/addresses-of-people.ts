/*
 * Email addresses as people have them. Each row says where it comes from, in which spelling it is
 * stored, and how it is shown where that differs.
 */

type Address = { why: string; typed: string; stored: string; shown?: string };

const of64 = 'x'.repeat(64);

export const addresses: readonly Address[] = [
  ...[...".!#$%&'*+/=?^_`{|}~-"].slice(1).map((sign) => ({
    why: `RFC 5322 3.2.3: ${sign} is atext`,
    typed: `a${sign}b@example.org`,
    stored: `a${sign}b@example.org`,
  })),
  {
    why: 'RFC 5321 4.5.3.1.1: 64 octets before the @',
    typed: `${of64}@example.org`,
    stored: `${of64}@example.org`,
  },
  {
    why: 'the local part stays as it is written',
    typed: 'Ada.Lovelace@Example.ORG',
    stored: 'Ada.Lovelace@example.org',
  },
  {
    why: 'RFC 5890: a domain in its letters',
    typed: 'ada@exämple.de',
    stored: 'ada@xn--exmple-cua.de',
    shown: 'ada@exämple.de',
  },
  {
    why: 'RFC 5891: ß is a letter of its own',
    typed: 'ada@faß.de',
    stored: 'ada@xn--fa-hia.de',
    shown: 'ada@faß.de',
  },
  {
    why: 'a top-level domain of another script, as Chromium sends it from type=email',
    typed: 'ivan@xn--80a1acny.xn--p1ai',
    stored: 'ivan@xn--80a1acny.xn--p1ai',
    shown: 'ivan@почта.рф',
  },
  {
    why: 'RFC 6531: both sides of the @ in Cyrillic',
    typed: 'иван@почта.рф',
    stored: 'иван@xn--80a1acny.xn--p1ai',
    shown: 'иван@почта.рф',
  },
  {
    why: 'UASG: 测试@普遍接受度测试.世界',
    typed: '测试@普遍接受度测试.世界',
    stored: '测试@xn--uor84wu2dq9cd5liy1cxsg.xn--rhqv96g',
    shown: '测试@普遍接受度测试.世界',
  },
  {
    why: 'the full stop of a Japanese keyboard (UTS #46)',
    typed: 'aiko@例え。jp',
    stored: 'aiko@xn--r8jz45g.jp',
    shown: 'aiko@例え.jp',
  },
  {
    why: 'full-width letters of a Japanese keyboard',
    typed: 'ａｄａ＠ｅｘａｍｐｌｅ．org',
    stored: 'ada@example.org',
  },
  {
    why: 'a Persian domain with ZWNJ (RFC 5892 A.1)',
    typed: 'a@نامه\u200cای.com',
    stored: 'a@xn--mgba3gch31f060k.com',
    shown: 'a@نامه\u200cای.com',
  },
  {
    why: 'decomposed letters of macOS',
    typed: 'ada@exa\u0308mple.de',
    stored: 'ada@xn--exmple-cua.de',
    shown: 'ada@exämple.de',
  },
  {
    why: 'Outlook puts U+202A and U+202C around',
    typed: '\u202aada@example.org\u202c',
    stored: 'ada@example.org',
  },
  {
    why: 'a zero width space before the @, as web pages break long addresses',
    typed: 'ada\u200b@example.org',
    stored: 'ada@example.org',
  },
  { why: 'NBSP and BOM around', typed: '\ufeff ada@example.org\u00a0', stored: 'ada@example.org' },
  {
    why: 'RFC 5321 4.1.2: quotes that say nothing',
    typed: '"ada"@example.org',
    stored: 'ada@example.org',
  },
  {
    why: 'a label of 63 characters',
    typed: `a@${'b'.repeat(63)}.org`,
    stored: `a@${'b'.repeat(63)}.org`,
  },
  { why: 'a long top-level domain', typed: 'a@b.international', stored: 'a@b.international' },
  {
    why: 'letters of other scripts before an ASCII domain (RFC 6531)',
    typed: 'josé@example.org',
    stored: 'josé@example.org',
  },
  {
    why: 'a mailbox of Devanagari with its marks',
    typed: 'संपर्क@example.org',
    stored: 'संपर्क@example.org',
  },
  { why: 'an apostrophe of Ireland', typed: "d'arcy@example.ie", stored: "d'arcy@example.ie" },
  { why: 'digits alone', typed: '1234567890@example.com', stored: '1234567890@example.com' },
  { why: 'underscores alone', typed: '_______@example.com', stored: '_______@example.com' },
  {
    why: 'the percent hack of old gateways',
    typed: 'user%example.com@example.org',
    stored: 'user%example.com@example.org',
  },
  { why: 'an emoji', typed: 'I❤️CHOCOLATE@example.org', stored: 'I❤️CHOCOLATE@example.org' },
  {
    why: 'a domain that looks like another is shown in A-labels',
    typed: 'a@аррӏе.com',
    stored: 'a@xn--80ak6aa92e.com',
  },
];

/** What is no address, and why. */
export const notAddresses: readonly { why: string; typed: string }[] = [
  { why: 'an encoded word (RFC 2047)', typed: '=?utf-8?B?eA0K?=@example.com' },
  { why: 'RFC 5321 4.5.3.1.1: 65 octets before the @', typed: `${of64}x@example.org` },
  { why: '65 octets in 33 letters', typed: `${'é'.repeat(32)}x@example.org` },
  { why: '255 octets', typed: `a@${`${'b'.repeat(49)}.`.repeat(5)}orgs` },
  { why: 'two dots', typed: 'a..b@example.org' },
  { why: 'a dot at the end of the local part', typed: 'a.@example.org' },
  { why: 'a dot at its beginning', typed: '.a@example.org' },
  { why: 'a blank', typed: 'a b@example.org' },
  { why: 'a local part that needs its quotes', typed: '"a b"@example.org' },
  { why: 'a comment', typed: 'ada(work)@example.org' },
  { why: 'an address literal', typed: 'ada@[192.0.2.1]' },
  { why: 'a number as the top-level domain', typed: 'ada@192.0.2.1' },
  { why: 'no top-level domain', typed: 'ada@localhost' },
  { why: 'a name before it, as mail programs copy it', typed: 'Ada Lovelace <ada@example.org>' },
  { why: 'a semicolon of Outlook', typed: 'ada@example.org;' },
  { why: 'two @', typed: 'ada@home@example.org' },
  { why: 'a hyphen at the end of a label', typed: 'ada@example-.org' },
  { why: 'a label of 64 characters', typed: `a@${'b'.repeat(64)}.org` },
  { why: 'an A-label that is none', typed: 'ada@xn--a.org' },
  { why: 'an override inside', typed: 'ada\u202e@example.org' },
  { why: 'a line end', typed: 'ada@example.org\nBcc:x@example.org' },
  { why: 'a joiner inside: two mailboxes would look alike', typed: 'क\u200dक@example.org' },
];

/** Domains as people paste them, and as they are compared. */
export const domains: readonly { why: string; typed: string; stored: string }[] = [
  { why: 'capitals', typed: 'Example.ORG', stored: 'example.org' },
  { why: 'a domain in its letters', typed: 'Exämple.DE', stored: 'xn--exmple-cua.de' },
  { why: 'decomposed letters of macOS', typed: 'exa\u0308mple.de', stored: 'xn--exmple-cua.de' },
  { why: 'the full stop of a Japanese keyboard', typed: '例え。jp', stored: 'xn--r8jz45g.jp' },
  { why: 'full-width letters', typed: 'ｅｘａｍｐｌｅ．org', stored: 'example.org' },
  {
    why: 'soft hyphens of a text that was set in columns',
    typed: 'exam\u00adple.org',
    stored: 'example.org',
  },
  { why: 'a zero width space of a web page', typed: 'example\u200b.org', stored: 'example.org' },
  { why: 'a word joiner of a PDF', typed: 'example.\u2060org', stored: 'example.org' },
  { why: 'an invisible mark at the end', typed: 'example.org\u200e', stored: 'example.org' },
  { why: 'what Outlook puts around', typed: '\u202aexample.org\u202c', stored: 'example.org' },
  { why: 'a byte order mark', typed: '\ufeffexample.org', stored: 'example.org' },
];

export const notDomains: readonly string[] = [
  'exämple',
  '-a.org',
  'a_b.org',
  'xn--a.org',
  '1.2.3.4',
  'exam\u202eple.org',
  'a..org',
  '.org',
  'example.org.',
  'https://example.org',
  '@example.org',
  '*',
  'localhost',
];
