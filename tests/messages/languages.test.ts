import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { en } from '#lib/messages/compiled/en.ts';
import { allLocales, formatsOf, languages, offeredLocales } from '#lib/messages/locales.ts';
import type { Message } from '#lib/messages/message.ts';
import { type MessageKey, textIn } from '#lib/messages/text.ts';

const keys = Object.keys(en) as MessageKey[];

/** Names of what is filled in, over all variants, once each. */
const holesOf = (message: Message): string[] =>
  typeof message === 'string'
    ? []
    : [
        ...new Set(
          message.flatMap((piece) => {
            if (typeof piece === 'string' || 'number' in piece) return [];
            if ('hole' in piece) return [piece.hole];
            const name = 'plural' in piece ? piece.plural : piece.select;
            return [name, ...Object.values(piece.cases).flatMap(holesOf)];
          }),
        ),
      ].sort();

/** All text of a message, with `{name}` where something is filled in. */
const flat = (message: Message): string =>
  typeof message === 'string'
    ? message
    : message
        .map((piece) => {
          if (typeof piece === 'string') return piece;
          if ('hole' in piece) return `{${piece.hole}}`;
          return 'number' in piece ? '{#}' : Object.values(piece.cases).map(flat).join(' | ');
        })
        .join('');

const pluralsOf = (message: Message) =>
  typeof message === 'string'
    ? []
    : message.filter((piece) => typeof piece === 'object' && 'plural' in piece);

describe.each(allLocales)('%s', (locale) => {
  const { messages } = languages[locale];

  test('has every message and none besides', () => {
    expect(Object.keys(messages).sort()).toEqual(keys.toSorted());
    for (const key of keys) expect.soft(flat(messages[key]).trim(), key).not.toBe('');
  });

  test('each message has the holes of the English one', () => {
    for (const key of keys) expect.soft(holesOf(messages[key]), key).toEqual(holesOf(en[key]));
  });

  test('a message that counts has the plural categories of its language', () => {
    const { pluralCategories } = new Intl.PluralRules(formatsOf(locale)).resolvedOptions();
    const counted = keys.filter((key) => pluralsOf(en[key]).length > 0);
    expect(counted).not.toEqual([]);
    for (const key of counted)
      for (const piece of pluralsOf(messages[key]))
        expect.soft(Object.keys(piece.cases).sort(), key).toEqual(pluralCategories.toSorted());
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
    expect
      .soft(flat(messages[label]).toLowerCase(), label)
      .toContain(flat(messages[face]).toLowerCase());
});

test('numbers choose their words', () => {
  expect([1, 2, 1234].map((count) => textIn('en')('apps.places', { count }))).toEqual([
    'one active sign-in',
    '2 active sign-ins',
    '1,234 active sign-ins',
  ]);
  expect(textIn('de')('apps.places', { count: 1234 })).toBe('1.234 aktive Anmeldungen');
  expect(textIn('ar-XB')('apps.places', { count: 2 })).toMatch(/^\[!! .*\u20682\u2069.* !!\]$/s);
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
  const same = keys.filter((key) => flat(languages.de.messages[key]) === flat(en[key]));
  expect(same.filter((key) => !alike.includes(key))).toEqual([]);
});

test('the pseudo-locale is accented, longer by about two fifths, marked at its ends, and reads from right to left', () => {
  const plainEnglish = keys.filter((key) => !['product.name', 'page.title'].includes(key));
  const lengths = { english: 0, pseudo: 0 };
  for (const key of plainEnglish) {
    const pseudo = flat(languages['ar-XB'].messages[key]);
    expect.soft(pseudo, key).toMatch(/^\[!! .*\u202E.+\u202C.* !!\]$/su);
    // Every letter outside of the holes has a mark.
    expect.soft(pseudo.replace(/\{[\w#]+\}/g, ''), key).not.toMatch(/[A-Za-z]/);
    lengths.english += flat(en[key]).length;
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
