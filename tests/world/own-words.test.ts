import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { sampleLetter } from '#lib/mail/samples.ts';
import { subjectLineOf, writeHtml, writeText } from '#lib/mail/write.ts';
import { actingAs, perform } from '#lib/management/act.ts';
import { brandingActs } from '#lib/management/branding/acts.ts';
import { wordActs } from '#lib/management/branding/word-acts.ts';
import { clientActs } from '#lib/management/client/acts.ts';
import { showClient } from '#lib/management/client/clients.ts';
import { pairLine } from '#lib/management/pairs.ts';
import { digest } from '#lib/oauth/secrets.ts';
import { mailPlaces, type Part, type Place, parts, placeNames, placeRow } from '#lib/own-words.ts';
import { cli } from '../cli/command-line.ts';
import { apply, secretFor } from '../config-file/files.ts';
import { actor } from '../management/people.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { filesThatUse } from './doors.ts';
import { madeOf, sound, unsound, unsoundLinks } from './own-words.ts';

const by = { ...actingAs('admin', actor), now: new Date(), demandFresh: () => {} };

/** Everything besides the API that takes a text for the sign-in page, with what becomes of it. */
const doors: Record<string, (part: Part, typed: string) => Promise<'taken' | 'refused'>> = {
  'the form and the act behind it': (part, typed) =>
    outcome(perform(wordActs.update, { place: 'sign-in', language: 'any', [part]: typed }, by)),
  'the branding as a whole': (part, typed) => {
    const words = { 'sign-in': { any: { [part]: typed } } };
    return outcome(perform(brandingActs.update, { words }, by));
  },
  'the configuration file': async (part, typed) => {
    const branding = { words: { 'sign-in': { any: { [part]: typed } } } };
    const applied = await outcome(apply(stringify({ branding })));
    await apply('apps: {}\n');
    if (applied === 'taken') await apply(stringify({ branding }));
    return applied;
  },
  'the command line': async (part, typed) => {
    const { code } = await cli([
      'words',
      'set',
      'sign-in',
      'any',
      `--${flags[part] ?? part}`,
      typed,
    ]);
    return code === 0 ? 'taken' : 'refused';
  },
};

const flags: Partial<Record<Part, string>> = { help: 'help-line' };
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'taken' as const,
    () => 'refused' as const,
  );
const storedNow = async () => perform(wordActs.show, { place: 'sign-in', language: 'any' }, by);
const say = (place: Place, texts: object) =>
  perform(wordActs.update, { place, language: 'any', ...texts }, by);

/** Everything besides the API that takes the line of an app, with what becomes of it. */
const lineDoors: Record<string, (lines: Record<string, string>) => Promise<'taken' | 'refused'>> = {
  'the form and the act behind it': (page_lines) => {
    const said = { client_id: 'lined', page_lines };
    return outcome(perform(clientActs.update, said, by));
  },
  'a new app': async (page_lines) => {
    await outcome(perform(clientActs.delete, { client_id: 'lined' }, by));
    const said = { client_id: 'lined', name: 'Lined', page_lines };
    return outcome(perform(clientActs.create, said, by));
  },
  'the configuration file': async (page_lines) => {
    const secret = { hash: digest(secretFor('lined')) };
    const lined = { name: 'Lined', redirect_uris: ['https://lined.example/cb'], secret };
    return outcome(apply(stringify({ apps: { lined: { ...lined, page_lines } } })));
  },
  'the command line': async (page_lines) => {
    const flags = Object.entries(page_lines).flatMap((pair) => ['--page-line', pairLine(pair)]);
    const { code } = await cli(['client', 'update', 'lined', ...flags]);
    return code === 0 ? 'taken' : 'refused';
  },
};

onEachDatabase(() => {
  describe.each(Object.entries(lineDoors))('an app’s line, by %s', (door, send) => {
    const fits = ({ typed }: { typed: string }) =>
      door !== 'the command line' || !typed.includes('\0');
    beforeEach(async () => {
      await outcome(perform(clientActs.create, { client_id: 'lined', name: 'Lined' }, by));
    });
    afterEach(async () => {
      await apply('apps: {}\n');
      await outcome(perform(clientActs.delete, { client_id: 'lined' }, by));
    });
    const linesNow = async () => (await showClient('lined')).pageLines;

    test.each(sound)('takes $why, as one line', async ({ typed, kept }) => {
      expect(await send({ any: typed, de: 'Auf Deutsch' })).toBe('taken');
      const line = kept.replace(/\s+/g, ' ');
      expect(await linesNow()).toEqual({ ...(line && { any: line }), de: 'Auf Deutsch' });
    });

    test.each([...unsound, ...unsoundLinks].filter(fits))('refuses $why', async ({ typed }) => {
      const before = await linesNow();
      expect(await send({ any: 'Fine', de: typed })).toBe('refused');
      if (door !== 'a new app') expect(await linesNow()).toEqual(before);
    });

    test('refuses a language that this server does not have', async () => {
      expect(await send({ xx: 'Hello' })).toBe('refused');
      expect(await send({ constructor: 'Hello' })).toBe('refused');
    });
  });

  afterEach(async () => {
    await apply('apps: {}\n');
    await perform(brandingActs.update, { words: {} }, by);
  });

  describe.each(Object.entries(doors))('%s', (door, send) => {
    const fits = ({ typed }: { typed: string }) =>
      door !== 'the command line' || !typed.includes('\0');
    test.each(sound)('takes $why', async ({ typed, kept }) => {
      expect(await send('help', typed)).toBe('taken');
      expect((await storedNow()).help ?? '').toBe(kept);
    });

    test.each([...unsound, ...unsoundLinks].filter(fits))('refuses $why', async ({ typed }) => {
      expect(await send('help', typed)).toBe('refused');
      expect((await storedNow()).help).toBeNull();
    });

    test('refuses a title of several words too many, and a text that is not said there', async () => {
      expect(await send('title', 'a'.repeat(61))).toBe('refused');
      expect(await send('subject', 'a')).toBe('refused');
    });
  });

  test.each(unsound)('no part of any place takes $why', async ({ typed }) => {
    const all = placeNames.flatMap((place) =>
      placeRow(place).parts.map(async (part) => outcome(say(place, { [part]: typed }))),
    );
    expect(new Set(await Promise.all(all))).toEqual(new Set(['refused']));
  });

  test('each part is as long as it may be, in characters, whatever it is stored as', async () => {
    for (const place of placeNames)
      for (const part of placeRow(place).parts.filter((each) => each !== 'links')) {
        const holes = (placeRow(place).needs?.[part] ?? []).map((name) => `{${name}}`).join('');
        const text = (more: number) => holes + '𠮷'.repeat(parts[part].most - holes.length + more);
        expect([place, part, await outcome(say(place, { [part]: text(0) }))]).toContain('taken');
        expect([place, part, await outcome(say(place, { [part]: text(1) }))]).toContain('refused');
      }
  });
});

describe.each(sound.filter(({ kept }) => kept))('$why', ({ kept }) => {
  test.each(mailPlaces.filter((place) => placeRow(place).parts.includes('paragraph')))(
    'is the paragraph of %s, in which our links, codes and notes stay',
    (place) => {
      const to = { to: 'ada@example.org', locale: 'ar', now: new Date() } as const;
      const before = sampleLetter(place, to, {});
      const after = sampleLetter(place, to, { paragraph: kept, signature: kept });
      expect([after.action, after.code, after.notes]).toEqual([
        before.action,
        before.code,
        before.notes,
      ]);
      const links = (kept.match(/\]\(/g) ?? []).flatMap(() => ['a', 'style', 'a', 'style']);
      const paragraphs = placeRow(place).follows ? ['style', 'style'] : ['style'];
      expect(madeOf(writeHtml(after))).toEqual(
        [...madeOf(writeHtml(before)), ...paragraphs, ...links].sort(),
      );
      for (const note of before.notes) expect(writeText(after)).toContain(note.slice(0, 12));
    },
  );
});

test('an English text in an Arabic letter runs from left to right, and keeps its full stop', () => {
  const to = { to: 'ada@example.org', locale: 'ar', now: new Date() } as const;
  const said = { greeting: 'Hello {name},', paragraph: 'It is {username}.', signature: 'IT.' };
  const letter = writeHtml(sampleLetter('mail-recovery', to, said));
  expect(letter).toMatch(/<bdi>Hello <bdi>Ada Lovelace<\/bdi>,<\/bdi>/);
  expect(letter).toMatch(/<p class="ink" dir="auto"[^>]*>It is /);
  expect(letter).toMatch(/<p class="soft" dir="auto"[^>]*>IT\./);
});

test('what a person is called is text in a letter, whatever the marks around it', () => {
  const to = { to: 'ada@example.org', locale: 'en', now: new Date() } as const;
  const sheet = sampleLetter('mail-recovery', to, {
    greeting: '**Hello** {name}',
    subject: 'x\r\nBcc: y',
  });
  expect(writeHtml(sheet)).toContain('<strong>Hello</strong> <bdi>Ada Lovelace</bdi>');
  expect(subjectLineOf(sheet)).not.toMatch(/[\r\n]/);
});

test('the doors of own words are those above', () => {
  expect(filesThatUse('tidyWords', 'lib/management/branding/words.ts')).toEqual([
    'lib/management/branding/branding.ts',
  ]);
  expect(filesThatUse('tidyLines', 'lib/management/branding/words.ts')).toEqual([
    'lib/management/client/clients.ts',
  ]);
  expect(filesThatUse('brandingChanges', 'lib/management/branding/branding.ts')).toEqual([
    'lib/management/set-up.ts',
  ]);
  expect(filesThatUse('filled', 'lib/own-words.ts')).toEqual([
    'app/ui/own-words.tsx',
    'lib/mail/own-words.ts',
  ]);
});
