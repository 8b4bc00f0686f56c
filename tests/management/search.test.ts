import { expect, test } from 'vitest';
import { createApi } from '#lib/management/api/apis.ts';
import { attemptOf, searchAll } from '#lib/management/search.ts';
import { disableUser } from '#lib/management/user/users.ts';
import { textIn } from '#lib/messages/text.ts';
import { newId } from '#lib/oauth/secrets.ts';
import { recordTrace } from '#lib/store/traces.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { actor, newApp, newPerson, unique } from './people.ts';

onEachDatabase(() => {
  test('admin search finds apps, users, scopes, APIs and settings by one text', async () => {
    const word = unique('everywhere');
    const { client } = await newApp({ name: `The ${word} app` });
    const person = await newPerson({ name: `Ada ${word}` });
    await disableUser(person.id, actor, new Date());
    const identifier = `https://${word}.example/mcp`;
    const api = await createApi({ identifier, name: 'Files' }, actor, new Date());
    const found = await searchAll(word.toUpperCase(), 'admin', textIn('en'));
    expect(found.apis).toMatchObject({ rows: [{ id: api.id }], more: false });
    expect(found.apps).toMatchObject({ rows: [{ id: client.id }], more: false });
    expect(found.people).toMatchObject({ rows: [{ id: person.id }], more: false });
    expect([found.scopes.rows, found.settings.rows]).toEqual([[], []]);
    expect((await searchAll(client.id, 'admin', textIn('en'))).apps.rows[0]?.id).toBe(client.id);
    for (const text of [person.username, person.email])
      expect((await searchAll(text, 'admin', textIn('en'))).people.rows[0]?.id).toBe(person.id);
    const names = async (text: string) => {
      const { scopes, settings } = await searchAll(text, 'admin', textIn('en'));
      return [...scopes.rows.map(({ name }) => name), ...settings.rows.map(({ key }) => key)];
    };
    for (const text of ['REQUIRE_PKCE', 'require pkce', 'Require PKCE'])
      expect(await names(text)).toEqual(['requirePkce']);
    expect(await names('openid')).toEqual(['openid']);
  });

  test('admin search shows a few of many matches, and says that there are more', async () => {
    const word = unique('many');
    for (let index = 0; index < 7; index += 1) {
      await newApp({ name: `${word} ${index}` });
      await newPerson({ name: `${word} ${index}` });
    }
    const { apps, people, settings } = await searchAll(word, 'admin', textIn('en'));
    expect([apps.rows.length, apps.more, people.rows.length, people.more]).toEqual([
      6,
      true,
      6,
      true,
    ]);
    expect(settings.rows).toEqual([]);
    expect(
      (await searchAll('session', 'admin', textIn('en'))).settings.rows.length,
    ).toBeGreaterThan(1);
  });

  test('admin search for NUL, surrogates, wildcards, SQL or long text finds nothing', async () => {
    for (const text of ['\0', '\ud800', '%', '_%_', "'; DROP TABLE users", 'x'.repeat(5000)]) {
      const { people } = await searchAll(`nobody${text}`, 'admin', textIn('en'));
      expect(people.rows).toEqual([]);
      expect(await attemptOf(text)).toBeNull();
    }
  });

  test('admin search for a request id leads to its sign-in attempt', async () => {
    const { client } = await newApp();
    const [at, requestId] = [new Date(), unique('request')];
    const attempt = newId(at);
    const of = { clientId: client.id, userId: null, behind: 'app', refusal: null } as const;
    recordTrace({ attempt, requestId, step: 'authorize', outcome: 'sign-in', ...of }, at);
    expect(await attemptOf(requestId)).toBe(attempt);
    expect(await attemptOf(attempt)).toBe(attempt);
    expect(await attemptOf(unique('request'))).toBeNull();
  });
});
