import { expect, test } from 'vitest';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import * as scopes from '#lib/management/scope/scopes.ts';
import { descriptionIn } from '#lib/oauth/scope.ts';
import { readRevision } from '#lib/store/engine/revision.ts';
import { scopesAt } from '#lib/store/scopes.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { actor, faultsOf, unique } from './people.ts';

const now = () => new Date();
const description = 'See your photos';

onEachDatabase(() => {
  test('a scope is created, changed and deleted, each with immediate effect', async () => {
    const name = unique('photos');
    const known = async () =>
      (await scopesAt(await readRevision())).find((row) => row.name === name);
    expect(await known()).toBeUndefined();
    await scopes.createScope({ name, description, sensitive: true }, actor, now());
    expect(await known()).toMatchObject({ name, description, isDefault: false, sensitive: true });
    await scopes.updateScope(name, { isDefault: true, sensitive: false }, { actor, now: now() });
    expect(await known()).toMatchObject({ name, description, isDefault: true, sensitive: false });
    await scopes.deleteScope(name, actor, now());
    expect(await known()).toBeUndefined();
    const types = (await listAudit({ type: 'scope' })).rows
      .filter((row) => row.detail.name === name)
      .map((row) => row.type);
    expect(types).toEqual(
      expect.arrayContaining(['scope.created', 'scope.updated', 'scope.deleted']),
    );
  });

  test('a scope has a description in each language, and each of them is changed alone', async () => {
    const name = unique('photos');
    const known = async () =>
      (await scopesAt(await readRevision())).find((row) => row.name === name);
    const translations = { de: ' Ihre Fotos sehen ' };
    await scopes.createScope({ name, description, translations }, actor, now());
    expect(descriptionIn((await known()) ?? {}, 'de')).toBe('Ihre Fotos sehen');
    expect(descriptionIn((await known()) ?? {}, 'en')).toBe(description);
    // An inherited property of objects is not a language.
    expect(descriptionIn((await known()) ?? {}, 'constructor')).toBe(description);

    const seen = scopes.versionOfScope(await scopes.showScope(name));
    await scopes.updateScope(
      name,
      { translations: { en: 'View your photos' } },
      { actor, now: now() },
    );
    expect((await known())?.translations).toEqual({
      en: 'View your photos',
      de: 'Ihre Fotos sehen',
    });
    const late = scopes.updateScope(
      name,
      { translations: { en: 'x' } },
      { actor, now: now(), seen },
    );
    expect(await faultsOf(late)).toHaveProperty('seen');
    await scopes.updateScope(name, { translations: { de: '' } }, { actor, now: now() });
    expect((await known())?.translations).toEqual({ en: 'View your photos' });
    const [last] = (await listAudit({ type: 'scope.updated' })).rows;
    expect(last?.detail).toMatchObject({ name, 'description.de': { before: 'Ihre Fotos sehen' } });
  });

  test('a scope description in an unknown language, or one that is too long, is refused at its field', async () => {
    const ask = (translations: Record<string, string>) =>
      faultsOf(scopes.createScope({ name: unique('s'), description, translations }, actor, now()));
    expect(await ask({ xx: 'text' })).toHaveProperty('descriptions');
    expect(await ask({ ['__proto__']: 'text' })).toHaveProperty('descriptions');
    expect(Object.keys(await ask({ de: 'x'.repeat(301) }))).toEqual(['descriptions.de']);
  });

  test('scope names outside RFC 6749 section 3.3, and empty descriptions, are refused', async () => {
    for (const name of ['', 'a b', 'a"b', 'a\\b', 'é', 'a\u0007', '.', '..', 'x'.repeat(129)]) {
      expect(
        await faultsOf(scopes.createScope({ name, description }, actor, now())),
        name,
      ).toHaveProperty('name');
    }
    for (const text of ['', '   ', 'x'.repeat(301), 'a\0b']) {
      const faults = await faultsOf(
        scopes.createScope({ name: unique('s'), description: text }, actor, now()),
      );
      expect(Object.keys(faults)).toEqual(['description']);
    }
  });

  test('a change or deletion of a scope that was changed meanwhile is refused', async () => {
    const name = unique('raced');
    const seen = scopes.versionOfScope(
      await scopes.createScope({ name, description }, actor, now()),
    );
    await scopes.updateScope(name, { sensitive: true }, { actor, now: now(), seen });
    const late = scopes.updateScope(
      name,
      { description: 'Other words' },
      { actor, now: now(), seen },
    );
    expect(await faultsOf(late)).toEqual({ seen: expect.stringContaining('Someone else changed') });
    expect(await faultsOf(scopes.deleteScope(name, actor, now(), seen))).toHaveProperty('seen');
    expect(await scopes.showScope(name)).toMatchObject({ description, sensitive: true });
    const latest = scopes.versionOfScope(await scopes.showScope(name));
    await scopes.deleteScope(name, actor, now(), latest);
    expect(await faultsOf(scopes.showScope(name))).toHaveProperty('name');
  });

  test('scope names are unique; built-in scopes can be given another description but not deleted', async () => {
    expect(
      await faultsOf(scopes.createScope({ name: 'email', description }, actor, now())),
    ).toHaveProperty('name');
    expect((await faultsOf(scopes.deleteScope('email', actor, now()))).name).toContain('built in');
    expect(
      (await scopes.updateScope('phone', { description: 'Call you' }, { actor, now: now() }))
        .description,
    ).toBe('Call you');
    expect((await scopes.listScopes()).slice(0, 6).every((scope) => scope.builtIn)).toBe(true);
    expect(await faultsOf(scopes.showScope('nope'))).toHaveProperty('name');
    expect(await faultsOf(scopes.deleteScope('nope', actor, now()))).toHaveProperty('name');
  });
});
