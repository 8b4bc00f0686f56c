import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { en } from '#lib/messages/compiled/en.ts';
import { formatsOf } from '#lib/messages/formats.ts';
import type { MessageKey } from '#lib/messages/keys.ts';
import {
  allLocales,
  inDashboard,
  type Locale,
  messageOf,
  messagesOf,
  offeredLocales,
} from '#lib/messages/locales.ts';
import type { Message, Messages } from '#lib/messages/message.ts';
import { textIn } from '#lib/messages/text.ts';

const keys = Object.keys(en) as MessageKey[];

/** The names of a message's placeholders in all its variants, each once. */
const holesOf = (message: Message): string[] =>
  typeof message === 'string'
    ? []
    : [
        ...new Set(
          message.flatMap((piece) => {
            if (typeof piece === 'string') return [];
            if ('number' in piece) return [piece.number];
            if ('hole' in piece) return [piece.hole];
            const name = 'plural' in piece ? piece.plural : piece.select;
            return [name, ...Object.values(piece.cases).flatMap(holesOf)];
          }),
        ),
      ].sort();

/** All text of a message, with `{name}` for placeholders. */
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

/** The plurals in a message, including nested ones. */
const pluralsOf = (message: Message): { cases: Readonly<Record<string, Message>> }[] =>
  typeof message === 'string'
    ? []
    : message.flatMap((piece) => {
        if (typeof piece === 'string' || !('cases' in piece)) return [];
        const within = Object.values(piece.cases).flatMap(pluralsOf);
        return 'plural' in piece ? [piece, ...within] : within;
      });

/** The plural categories, without single numbers such as `=0`. */
const categoriesOf = ({ cases }: { cases: object }) =>
  Object.keys(cases)
    .filter((name) => !name.startsWith('='))
    .sort();

const peoplesKeys = Object.keys(
  JSON.parse(readFileSync('lib/messages/catalogues/en/people.json', 'utf8')),
) as MessageKey[];

/** The messages that a language has to have: all, or those of `people.json`. */
const neededIn = (locale: Locale) => {
  // What a variety of English lacks is as in English.
  if (locale === 'en-GB') return [];
  return inDashboard(locale) === locale ? keys : peoplesKeys;
};

describe.each(allLocales)('the messages in %s', (locale) => {
  const messages: Messages = { ...en, ...messagesOf(locale) };

  test('are all translated, and there are no others', () => {
    const lacks = neededIn(locale).filter((key) => !(key in messagesOf(locale)));
    expect(lacks, `${lacks.length} messages are missing`).toEqual([]);
    expect(Object.keys(messages).sort()).toEqual(keys.toSorted());
    for (const key of keys) expect.soft(flat(messages[key]).trim(), key).not.toBe('');
  });

  test('have the placeholders of the English ones', () => {
    for (const key of keys) expect.soft(holesOf(messages[key]), key).toEqual(holesOf(en[key]));
  });

  test('have the plural categories of the language if they count', () => {
    const { pluralCategories } = new Intl.PluralRules(formatsOf(locale)).resolvedOptions();
    const counted = keys.filter(
      (key) => key in messagesOf(locale) && pluralsOf(en[key]).length > 0,
    );
    expect(counted.length > 0).toBe(neededIn(locale).length > 0);
    for (const key of counted)
      for (const piece of pluralsOf(messages[key]))
        expect.soft(categoriesOf(piece), key).toEqual(pluralCategories.toSorted());
  });
});

/**
 * Buttons whose accessible name is longer than their visible text. WCAG 2.5.3 requires the text to
 * be part of the name, for people who speak to their browser.
 */
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
  ['access.remove', 'access.removeLabel'],
  ['apiKeys.remove', 'apiKeys.removeLabel'],
  ['apis.addApp', 'apis.addAppLabel'],
  ['apis.removeApp', 'apis.removeAppLabel'],
  ['clients.secretDelete', 'clients.secretDeleteLabel'],
  ['contacts.remove', 'contacts.removeLabel'],
  ['groups.addMember', 'groups.addMemberLabel'],
  ['groups.removeMember', 'groups.removeMemberLabel'],
  ['invite.takeBack', 'invite.takeBackLabel'],
  ['listening.details', 'listening.detailsOf'],
  ['listening.fix', 'listening.fixOf'],
  ['newApps.approve', 'newApps.approveLabel'],
  ['newApps.refuse', 'newApps.refuseLabel'],
  ['newApps.unblock', 'newApps.unblockLabel'],
  ['people.endSession', 'people.endSessionLabel'],
  ['registrationTokens.remove', 'registrationTokens.removeLabel'],
] as const satisfies (readonly [MessageKey, MessageKey])[];

test.each(offeredLocales)(
  'the accessible name of a button contains its visible text (WCAG 2.5.3): %s',
  (locale) => {
    for (const [face, label] of faces)
      expect
        .soft(flat(messageOf(locale, label)).toLowerCase(), label)
        .toContain(flat(messageOf(locale, face)).toLowerCase());
  },
);

test('the form of a message depends on the number', () => {
  expect([1, 2, 1234].map((count) => textIn('en')('apps.places', { count }))).toEqual([
    'one active sign-in',
    '2 active sign-ins',
    '1,234 active sign-ins',
  ]);
  expect(textIn('de')('apps.places', { count: 1234 })).toBe('1.234 aktive Anmeldungen');
  expect(textIn('ar-XB')('apps.places', { count: 2 })).toMatch(/^\[!! .*\u20682\u2069.* !!\]$/s);
});

/** Words that are rightly the same in both languages: names, and terms that developers use. */
const alike = new Set(
  `Gatehouse OpenID WP OAuth Server SQLite PostgreSQL MCP CSV PKCE RFC JWT API APIs App Apps Client ID URI URIs URL URLs
  Scope Scopes Grant Grants Claim Claims Secret Secrets Token Introspection Issuer Passkey Passkeys Host Hosts Backup
  Branding Logo Link Name Person Status Support Admin Admins Auditor Region Software Standard Text Version Website
  OK opaque Opaque optional typ in Browser Code Format System Realm Realms
  Services Team Key iss`
    .split(/\s+/)
    .map((word) => word.toLowerCase()),
);

/** The same in a single language, and rightly: its own word, or a borrowed one that is usual. */
const alikeIn: Readonly<Partial<Record<Locale, string>>> = {
  cs: 'agent role',
  da: 'agent send upload',
  es: 'error no',
  fr: 'agent pages',
  it: 'directory no password privacy',
  nl: 'accounts agent directory later privacy',
  pl: 'agent',
  sv: 'agent',
};

/** Languages that are translated from the English: all but its varieties. */
const translated = offeredLocales.filter((tag) => !/^en\b/.test(tag));

test.each(translated)('no message is the same as the English one: %s', (locale) => {
  const own = new Set((alikeIn[locale] ?? '').toLowerCase().split(/\s+/));
  const same = neededIn(locale).filter((key) => {
    const said = flat(en[key]);
    if (flat(messageOf(locale, key)) !== said) return false;
    const words = said.replace(/\{[\w#]+\}/g, '').match(/\p{L}+/gu) ?? [];
    return words.some((word) => !alike.has(word.toLowerCase()) && !own.has(word.toLowerCase()));
  });
  expect(same).toEqual([]);
});

/** The length of a message at its longest. */
const lengthOf = (message: Message): number =>
  typeof message === 'string'
    ? message.length
    : message.reduce((sum, piece) => {
        if (typeof piece === 'string') return sum + piece.length;
        if (!('cases' in piece)) return sum + 6;
        return sum + Math.max(...Object.values(piece.cases).map(lengthOf));
      }, 0);

test.each(translated)('no message for people is much longer than the English one: %s', (locale) => {
  const long = peoplesKeys.flatMap((key) => {
    const [said, translation] = [lengthOf(en[key]), lengthOf(messageOf(locale, key))];
    return translation > 1.5 * said + 22 ? [`${key} (${translation} for ${said})`] : [];
  });
  expect(long).toEqual([]);
});

test('the pseudo-locale has accents, is longer by about two fifths, is marked at its ends, and is right to left', () => {
  const plainEnglish = keys.filter(
    (key) =>
      !['product.name', 'page.title'].includes(key) &&
      /\p{L}/u.test(flat(en[key]).replace(/\{[\w#]+\}/g, '')),
  );
  const lengths = { english: 0, pseudo: 0 };
  for (const key of plainEnglish) {
    const pseudo = flat(messageOf('ar-XB', key));
    expect.soft(pseudo, key).toMatch(/^\[!! .*\u202E.+\u202C.* !!\]$/su);
    // Every letter outside placeholders has a mark.
    expect.soft(pseudo.replace(/\{[\w#]+\}/g, ''), key).not.toMatch(/[A-Za-z]/);
    lengths.english += flat(en[key]).length;
    lengths.pseudo += pseudo.replace(/[\u202E\u202C]/g, '').length;
  }
  expect(lengths.pseudo / lengths.english).toBeGreaterThan(1.35);
  expect(lengths.pseudo / lengths.english).toBeLessThan(1.6);
});

const sources = globSync(['app/**/*.{ts,tsx}', 'lib/**/*.ts'])
  .filter((file) => !/^lib\/messages\/(compiled|catalogues)\/|browser-keys\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));

const holes = /\$\{[^}]*\}/g;

/** Keys that are composed where they are used, as patterns: `claim.${name}` can be any claim. */
const composed = [
  ...new Set(sources.flatMap(({ text }) => text.match(/`(?:[\w.-]|\$\{[^}`]*\})+`/g) ?? [])),
]
  .filter(
    (template) => /\$.*\.|\..*\$/.test(template) && /[a-z]{3}/i.test(template.replace(holes, '')),
  )
  .map((template) => {
    const literal = template.slice(1, -1).replace(holes, '\0');
    return literal.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll('\0', '.+');
  });
const isComposed = new RegExp(`^(?:${composed.join('|')})$`);

/** Pieces within a message that are a choice, with the text before each. */
const choicesIn = (message: Message): { before: string; cases: readonly string[] }[] =>
  typeof message === 'string'
    ? []
    : message.flatMap((piece, at) => {
        if (typeof piece === 'string' || !('cases' in piece)) return [];
        const before = message[at - 1];
        const within = Object.values(piece.cases);
        return [
          { before: typeof before === 'string' ? before : '', cases: within.map(flat) },
          ...within.flatMap(choicesIn),
        ];
      });

test('what a number chooses in the middle of an English sentence begins in lower case', () => {
  const capital = keys.flatMap((key) =>
    choicesIn(en[key])
      .filter(({ before }) => /[\p{Ll},;] $/u.test(before))
      .flatMap(({ cases }) => cases.filter((said) => /^\p{Lu}\p{Ll}/u.test(said)))
      .map((said) => `${key}: ${said}`),
  );
  expect(capital).toEqual([]);
});

/** Quoted in a message, and the beginning of a label or a part of a program. */
const foreign = new Set([
  'Authorization: Bearer …',
  'Continue with …',
  'Sign in with …',
  'The app will be able to …',
]);

/** What opens a quotation, in one language or another. */
const quotes = /[“”„«「『‹]/u;

test.each(translated)('what a message quotes as a label is one: %s', (locale) => {
  const labelOf = (from: Locale, key: MessageKey) => flat(messageOf(from, key)).replace(/…$/, '');
  const wrong = neededIn(locale).flatMap((key) => {
    const quoted = [...flat(en[key]).matchAll(/“(\p{Lu}[^”{]*)”/gu)].map(([, label = '']) => label);
    return quoted
      .filter((label) => !foreign.has(label))
      .filter((label) => {
        const named = keys.filter((each) => labelOf('en', each) === label.replace(/…$/, ''));
        const said = flat(messageOf(locale, key));
        return !named.some((each) => quotes.test(said) && said.includes(labelOf(locale, each)));
      })
      .map((label) => `${key}: ${label}`);
  });
  expect(wrong).toEqual([]);
});

test('each message is used in the source', () => {
  const said = new Set(sources.flatMap(({ text }) => text.match(/'[\w.-]+'/g) ?? []));
  const unused = keys.filter((key) => !said.has(`'${key}'`) && !isComposed.test(key));
  expect(unused).toEqual([]);
});

/** The documentation is in English, and so is everything used only there. */
const english = /^app\/docs\//;

test('no file below app/ names a language by its tag', () => {
  const chosen = sources.filter(
    ({ file, text }) =>
      file.startsWith('app/') && allLocales.some((tag) => text.includes(`'${tag}'`)),
  );
  expect(chosen.map(({ file }) => file)).toEqual([]);
});

/** Words between tags and in attributes that people read, as if they were written in the markup. */
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
    .filter((words) => /\p{L}{2,}/u.test(words) && !/[=;()]|^npm run /.test(words));
}

test('no text is written in the markup of a screen instead of in the catalogues', () => {
  const screens = sources.filter(({ file }) => file.endsWith('.tsx') && !english.test(file));
  expect(screens.length).toBeGreaterThan(40);
  expect(
    screens.flatMap(({ file, text }) => wordsIn(text).map((words) => `${file}: ${words}`)),
  ).toEqual([]);
});

test('the search for text in the markup finds an example', () => {
  expect(wordsIn('<p className="mt-1">Sign in</p>')).toEqual(['Sign in']);
  expect(wordsIn('<p>\n  Sign in\n</p>')).toEqual(['Sign in']);
  expect(wordsIn('<Field name="a" label="Username" />')).toEqual(['Username']);
  expect(wordsIn("<p>{text('a.b')}</p> // a comment")).toEqual([]);
});
