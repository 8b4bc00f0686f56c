import { describe, expect, test } from 'vitest';
import { sealedFlash, toldOf } from '#lib/interaction/flash.ts';
import { quoted } from '#lib/management/quoted.ts';
import { AdminRefusal, refuseConflict } from '#lib/management/refusal.ts';
import { refusingAt } from '#lib/management/refusing-at.ts';
import { sentence } from '#lib/messages/sentence.ts';
import { sayIn, sentenceIn, sentencesIn } from '#lib/messages/text.ts';

process.env.SERVER_SECRET = 'x'.repeat(32);

const many = sentence('refused.group.tooManyOfPerson', { most: 1000 });
const unknown = sentence('refused.group.unknown', { names: quoted(['Staff', 'x'.repeat(200)]) });

test('a sentence is translated into each language, with its values', () => {
  expect(sentenceIn('en', many)).toBe('A person is in at most 1,000 groups.');
  expect(sentenceIn('de', many)).toBe('Eine Person ist in höchstens 1.000 Gruppen.');
  expect(sentenceIn('en', unknown)).toBe(`There is no group “Staff”, “${'x'.repeat(80)}”.`);
  expect(sentenceIn('de', unknown)).toBe(`Es gibt keine Gruppe „Staff“, „${'x'.repeat(80)}“.`);
});

test('a typed value keeps its direction within a sentence', () => {
  const said = sentenceIn(
    'ar-XB',
    sentence('refused.group.unknown', { names: quoted(['a\u2069']) }),
  );
  expect(said).toContain('\u2068a\u2069');
  expect(said.match(/\u2069/g)).toHaveLength(1);
});

test('a typed value in a sentence is not read as a message', () => {
  const name = "{name} {count, plural, other {#}} '{x}'";
  expect(sentenceIn('en', sentence('refused.group.missing', { name }))).toBe(
    `There is no group "${name}".`,
  );
});

describe('a refusal', () => {
  const { person } = {
    person: new AdminRefusal('groups', many, { groups: many, name: unknown }, 'full'),
  };

  test('has its English sentence as its message for commands, the API and the log', () => {
    expect(person.message).toBe('A person is in at most 1,000 groups.');
    expect(person.sentences).toEqual({
      groups: person.message,
      name: sentenceIn('en', unknown),
    });
  });

  test('has a sentence for each field in the reader’s language', () => {
    expect(sentencesIn('de', person.faults).groups).toBe(
      'Eine Person ist in höchstens 1.000 Gruppen.',
    );
  });

  test('keeps its sentence and kind when its field gets another name', async () => {
    const moved = await refusingAt((field) => `in.${field}`, Promise.reject(person)).catch(
      (error: AdminRefusal) => error,
    );
    expect(moved).toMatchObject({ field: 'in.groups', kind: 'full', said: many });
    expect(Object.keys((moved as AdminRefusal).faults)).toEqual(['in.groups', 'in.name']);
  });

  test.each([
    ['api', 'this API', 'diese API'],
    ['branding', 'this branding', 'dieses Branding'],
    ['account', 'this account', 'dieses Konto'],
    ['scope', 'this scope', 'diesen Scope'],
  ] as const)('of a conflict names the %s with its article', (what, english, german) => {
    const refused = (() => {
      try {
        return refuseConflict(what);
      } catch (error) {
        return error as AdminRefusal;
      }
    })();
    expect(refused.message).toBe(`Someone else changed ${english}. Check it and try again.`);
    expect(sentenceIn('de', refused.said)).toContain(` ${german} `);
  });
});

describe('a notice', () => {
  test('has a message key and values, and is translated where it is shown', () => {
    const { key, values } = toldOf(sentence('refused.group.taken', { name: 'Staff' }));
    expect(sayIn('de')(key, values)).toContain('Es gibt schon eine Gruppe „Staff“.');
  });

  test('fits into a cookie, however long its values are', async () => {
    const long = '\u{1f600}'.repeat(5000);
    const told = toldOf(sentence('refused.api.identifierTaken', { api: long, identifier: long }));
    expect((await sealedFlash.seal({ page: '/admin/apis', told })).length).toBeLessThan(4000);
  });
});
