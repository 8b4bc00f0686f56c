/* What operators write about their server, and what somebody who took their place would. */

type Written = { why: string; typed: string };

/** Texts with what is stored of them. None of them needs anything but text. */
export const sound: readonly (Written & { kept: string })[] = [
  {
    why: 'the four marks',
    typed: '**a** *b* [c](https://example.org/)\nd',
    kept: '**a** *b* [c](https://example.org/)\nd',
  },
  {
    why: 'a mail address',
    typed: '[Help](mailto:help@example.org)',
    kept: '[Help](mailto:help@example.org)',
  },
  { why: 'Persian with ZWNJ', typed: 'خوش آمدید می\u200cشود', kept: 'خوش آمدید می\u200cشود' },
  { why: 'Hebrew with points', typed: 'שָׁלוֹם', kept: 'שָׁלוֹם' },
  { why: 'a family of emoji', typed: '👩\u200d👩\u200d👧', kept: '👩\u200d👩\u200d👧' },
  {
    why: 'marks without a partner',
    typed: '5 * 3 ** 2 _x_ ~y~ `z` #',
    kept: '5 * 3 ** 2 _x_ ~y~ `z` #',
  },
  { why: 'hundreds of marks', typed: '*'.repeat(290), kept: '*'.repeat(290) },
  {
    why: 'HTML',
    typed: '<button name="decision" value="allow">Allow</button>',
    kept: '<button name="decision" value="allow">Allow</button>',
  },
  {
    why: 'a script',
    typed: '</p><script>alert(1)</script><!--',
    kept: '</p><script>alert(1)</script><!--',
  },
  { why: 'entities', typed: '&lt;b&gt; &#x202e;', kept: '&lt;b&gt; &#x202e;' },
  { why: 'a drawn button', typed: '[ Allow ]', kept: '[ Allow ]' },
  { why: 'a drawn warning', typed: '⚠️ **Warning**', kept: '⚠️ **Warning**' },
  { why: 'quotes of ICU', typed: "it's '' and '#'", kept: "it's '' and '#'" },
  { why: 'one long word', typed: 'W'.repeat(290), kept: 'W'.repeat(290) },
  { why: 'a zero width space', typed: 'pass\u200bword', kept: 'password' },
  { why: 'letters of a tag, which nobody sees', typed: 'a\u{e0041}\u{e0042}', kept: 'a' },
  { why: 'marks of direction around it', typed: '\u200f\u202aHello\u202c\u200e', kept: 'Hello' },
  { why: 'line ends of Windows, and many', typed: 'a\r\n\r\n\r\n\r\nb\r\n', kept: 'a\n\nb' },
  { why: 'only what nobody sees', typed: '\u200b \u2060\ufeff\u3164', kept: '' },
];

/** Texts that no place takes. */
export const unsound: readonly Written[] = [
  { why: 'an override', typed: 'Sign in at \u202egro.live' },
  { why: 'an isolate', typed: 'Sign in \u2066at\u2069 home' },
  { why: 'letters that pile up', typed: `a${'\u0301'.repeat(40)}` },
  { why: 'NUL', typed: 'a\0b' },
  { why: 'a line separator', typed: 'a\u2028b' },
  { why: 'half a character', typed: 'a\ud800' },
  { why: '10,000 letters', typed: 'a'.repeat(10_000) },
  { why: '10,000 lines', typed: Array.from({ length: 10_000 }, () => 'a').join('\n') },
  { why: 'a brace', typed: 'a { b' },
  { why: 'a message of ICU', typed: '{count, plural, other {#}}' },
  { why: 'a value that is not there', typed: 'Your password is {password}' },
  { why: 'a value of every object', typed: '{constructor}' },
];

/** Texts that only places with links would take. */
export const unsoundLinks: readonly Written[] = [
  { why: 'a script as a link', typed: '[Help](javascript:alert(1))' },
  { why: 'a script without brackets as a link', typed: '[Help](javascript:alert`1`)' },
  { why: 'a page of data as a link', typed: '[Help](data:text/html,x)' },
  { why: 'an address without a scheme', typed: '[Help](//evil.example)' },
  { why: 'an address with a password', typed: '[Help](https://bank.example@evil.example/)' },
  { why: 'a link that looks like another', typed: '[https://bank.example](https://evil.example/)' },
  { why: 'mail with a text', typed: '[Help](mailto:a@example.org?body=x)' },
  { why: 'a quote in an address', typed: '[Help](https://example.org/"onclick="x)\u0000' },
];

/** What readers see of a text above. */
export const plainOf = (kept: string): string =>
  kept
    .replace(/\*\*([^\s*][^*\n]*)\*\*/g, '$1')
    .replace(/\*([^\s*][^*\n]*)\*/g, '$1')
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1');

/** What a page is made of besides text, and the attributes that could do something. */
export const madeOf = (html: string): string[] =>
  [...html.matchAll(/<(?!\/|br|p\b|strong|em\b|bdi)([\w-]+)|\s(on\w+|style)=(?=")/g)]
    .map(([, tag, attribute]) => tag ?? attribute ?? '')
    .sort();
