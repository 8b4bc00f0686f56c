import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { en } from '#lib/messages/en.ts';
import { allLocales, formatsOf, languages, offeredLocales } from '#lib/messages/locales.ts';
import { countedIn, type MessageKey, piecesOf, variantsOf } from '#lib/messages/text.ts';

const keys = Object.keys(en) as MessageKey[];
const holesOf = (message: string) =>
  piecesOf(message).flatMap((piece) => ('hole' in piece ? [piece.hole] : []));

describe.each(allLocales)('%s', (locale) => {
  const { messages } = languages[locale];

  test('has every message and none besides', () => {
    expect(Object.keys(messages).sort()).toEqual(keys.toSorted());
    for (const key of keys) expect.soft(messages[key].trim(), key).not.toBe('');
  });

  test('each message has the holes of the English one', () => {
    for (const key of keys)
      expect.soft(holesOf(messages[key]).sort(), key).toEqual(holesOf(en[key]).sort());
  });

  test('a message that counts has the plural categories of its language', () => {
    const { pluralCategories } = new Intl.PluralRules(formatsOf(locale)).resolvedOptions();
    const counted = keys.filter((key) => /^(one|other): /.test(en[key]));
    expect(counted).not.toEqual([]);
    for (const key of counted)
      expect
        .soft([...variantsOf(messages[key]).keys()].sort(), key)
        .toEqual(pluralCategories.toSorted());
  });
});

/** Buttons whose spoken name says more than their face: WCAG 2.5.3 wants the face in it, for those who speak to their browser. */
const faces = [
  ['field.showPassword', 'field.showPasswordLabel'],
  ['field.hidePassword', 'field.hidePasswordLabel'],
  ['security.appRemove', 'security.appRemoveLabel'],
  ['security.passkeyRename', 'security.passkeyRenameLabel'],
  ['security.passkeyRemove', 'security.passkeyRemoveLabel'],
  ['consent.switch', 'consent.switchLabel'],
  ['home.remove', 'home.removeLabel'],
  ['home.removeScope', 'home.removeScopeLabel'],
  ['apps.details', 'apps.detailsLabel'],
  ['sessions.end', 'sessions.endLabel'],
] as const satisfies (readonly [MessageKey, MessageKey])[];

test.each(offeredLocales)('a button is called what is written on it: %s', (locale) => {
  const { messages } = languages[locale];
  for (const [face, label] of faces)
    expect.soft(messages[label].toLowerCase(), label).toContain(messages[face].toLowerCase());
});

test('numbers choose their words', () => {
  expect([1, 2, 1234].map((count) => countedIn('en')('apps.places', count))).toEqual([
    'one active sign-in',
    '2 active sign-ins',
    '1,234 active sign-ins',
  ]);
  expect(countedIn('de')('apps.places', 1234)).toBe('1.234 aktive Anmeldungen');
  expect(countedIn('ar-XB')('apps.places', 2)).toMatch(/^\[!! .*\u20682\u2069.* !!\]$/s);
});

/** Said alike in both languages, and right so. */
const alike = [
  'api.more',
  'nav.apps',
  'claim.website',
  'product.name',
  'page.title',
  'passkey.namePlain',
  'security.passkeys',
  'profile.website',
  'security.passkeyName',
  'error.app',
  'field.optional',
];

test('no German message was left in English', () => {
  const same = keys.filter((key) => languages.de.messages[key] === en[key]);
  expect(same.filter((key) => !alike.includes(key))).toEqual([]);
});

test('the pseudo-locale is accented, longer by about two fifths, marked at its ends, and reads from right to left', () => {
  const plainEnglish = keys.filter((key) => !['product.name', 'page.title'].includes(key));
  const lengths = { english: 0, pseudo: 0 };
  for (const key of plainEnglish) {
    const pseudo = languages['ar-XB'].messages[key];
    expect.soft(pseudo, key).toMatch(/^(\w+: )?\[!! .*\u202E.+\u202C.* !!\]$/su);
    // Every letter outside of the holes has a mark.
    expect.soft(pseudo.replace(/\{\w+\}|\w+: (?=\[!! )/g, ''), key).not.toMatch(/[A-Za-z]/);
    lengths.english += en[key].length;
    lengths.pseudo += pseudo.replace(/[\u202E\u202C]/g, '').length;
  }
  expect(lengths.pseudo / lengths.english).toBeGreaterThan(1.35);
  expect(lengths.pseudo / lengths.english).toBeLessThan(1.6);
});

const sources = globSync(['app/**/*.{ts,tsx}', 'lib/**/*.ts'])
  .filter((file) => !file.startsWith('lib/messages/'))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));

/** Keys that are composed where they are said: how, and what the parts can be. */
const composed: { how: RegExp; keys: RegExp }[] = [
  {
    how: /text\(`profile\.\$\{name\}` as/,
    keys: /^profile\.(\w+_\w+|name|nickname|gender|profile|website|birthdate|zoneinfo|locality|region|country|locale)$/,
  },
  { how: /sayIn\(locale\)\(`claim\.\$\{name\}`\)/, keys: /^claim\./ },
  { how: /\(`notice\.\$\{rest\.kind\}`\)/, keys: /^notice\.\w+$/ },
  { how: /text\(`notices\.\$\{notice\}`\)/, keys: /^notices\.(new-device|app-approved)$/ },
];

test('each way to compose a key is in use', () => {
  for (const { how } of composed)
    expect
      .soft(
        sources.some(({ text }) => how.test(text)),
        String(how),
      )
      .toBe(true);
});

test('each message is said somewhere', () => {
  const everything = sources.map(({ text }) => text).join('\n');
  const unused = keys.filter(
    (key) => !everything.includes(`'${key}'`) && !composed.some((way) => way.keys.test(key)),
  );
  expect(unused).toEqual([]);
});

/** The dashboard and the pages for developers are in English, and so is what only they use. */
const english =
  /^app\/(admin|docs)\/|^app\/ui\/(admin-|forms\/|list-search|pager|copy-button|shown-once|search-fields|lookup|table)/;

/** Words between tags and in attributes that people read, as they would be if they stood in the markup. */
function wordsIn(markup: string): string[] {
  const code = markup.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const between = [...code.matchAll(/>([^<>{}]*\p{L}{2,}[^<>{}]*)<\//gu)].map(
    ([, words = '']) => words,
  );
  const attributes = [
    ...code.matchAll(
      /\b(?:label|title|text|alt|placeholder|hint|aria-label|word)=(?:"([^"]*)"|\{'([^']*)'\})/g,
    ),
  ];
  const said = [...between, ...attributes.map(([, double, single]) => double ?? single ?? '')];
  return said
    .map((words) => words.trim())
    .filter((words) => /\p{L}{2,}/u.test(words) && !/[=;()]/.test(words));
}

test('no sentence stands in the markup of a screen that people meet', () => {
  const screens = sources.filter(({ file }) => file.endsWith('.tsx') && !english.test(file));
  expect(screens.length).toBeGreaterThan(40);
  expect(
    screens.flatMap(({ file, text }) => wordsIn(text).map((words) => `${file}: ${words}`)),
  ).toEqual([]);
});

test('a sentence in the markup is found', () => {
  expect(wordsIn('<p className="mt-1">Sign in</p>')).toEqual(['Sign in']);
  expect(wordsIn('<p>\n  Sign in\n</p>')).toEqual(['Sign in']);
  expect(wordsIn('<Field name="a" label="Username" />')).toEqual(['Username']);
  expect(wordsIn("<p>{text('a.b')}</p> // a comment")).toEqual([]);
});
