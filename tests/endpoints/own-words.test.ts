import { afterEach, describe, expect, test } from 'vitest';
import { callApi, keyWith } from '../support/api.ts';
import { unescapeHtml } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import { authorizePath, newPerson, Person } from '../support/person.ts';
import { newClient, newUser } from '../support/seed.ts';
import { madeOf, plainOf, sound, unsound, unsoundLinks } from '../world/own-words.ts';

// Its own, since other files change the look of the one that they share.
const server = await openServer({});
const key = await keyWith(['branding:loosen', 'client:loosen']);
await newUser({ isAdmin: true });
const someone = await newPerson(server);

const signIn = '/branding/words/sign-in/any';
const call = (line: string, json?: object) => callApi(server, line, { key, json });
const pageOf = async (address: string, language = 'en') => {
  const headers = { 'Accept-Language': language };
  const html = await (await fetch(server.base + address, { headers })).text();
  return html.replace(/(nonce|value)="[^"]{20,}"|csrf&quot;:&quot;[^&]*/g, '');
};

afterEach(() => call('PATCH /branding', { words: {} }));

describe.each(sound)('$why', ({ typed, kept }) => {
  test('is taken by the API, and shown on the page, which has nothing else that it did not have', async () => {
    // A sign-in page may ask a browser for work, or not, so another one is compared.
    const before = await pageOf('/logout/done');
    const answer = await call('PATCH /branding/words/signed-out/any', { lead: typed });
    expect(answer.status).toBe(200);
    expect(answer.body.lead ?? '').toBe(kept);
    const after = await pageOf('/logout/done');
    const links = (kept.match(/\]\(/g) ?? []).map(() => 'a');
    expect(madeOf(after)).toEqual([...madeOf(before), ...links].sort());
    const [, inside = ''] = /<p class="gh-own" dir="auto">(.*?)<\/p>/s.exec(after) ?? [];
    const shown = unescapeHtml(inside.replaceAll('<br/>', '\n').replace(/<[^>]*>/g, ''));
    expect(shown).toBe(plainOf(kept));
  });
});

test.each([...unsound, ...unsoundLinks])(
  'the API refuses $why, at its field',
  async ({ typed }) => {
    const answer = await call(`PATCH ${signIn}`, { help: typed });
    // Some of these are refused with the body already.
    expect([400, 422]).toContain(answer.status);
    const { errors = [{ field: 'help' }] } = answer.body as { errors?: { field: string }[] };
    expect(errors.map(({ field }) => field)).toEqual(['help']);
  },
);

test.each([
  ['/login', 'sign-in'],
  ['/logout/done', 'signed-out'],
])(
  '%s has the words of its reader’s language, else those for everyone, else ours',
  async (address, place) => {
    const plain = await pageOf(address, 'ja');
    await call(`PATCH /branding/words/${place}/de`, { title: 'Willkommen', lead: 'bei {product}' });
    expect(await pageOf(address, 'de')).toMatch(/<h1[^>]*>Willkommen<\/h1>/);
    expect(await pageOf(address, 'de')).toContain('bei <bdi>Gatehouse</bdi>');
    expect(await pageOf(address, 'ja')).toBe(plain);
    await call(`PATCH /branding/words/${place}/any`, { title: 'Hello', help: 'Call us' });
    const page = await pageOf(address, 'ja');
    expect(page).toMatch(/<h1[^>]*>Hello<\/h1>/);
    expect(page).toContain('Call us');
    expect(await pageOf(address, 'de')).toMatch(/<h1[^>]*>Willkommen<\/h1>/);
    for (const tag of ['any', 'de']) await call(`DELETE /branding/words/${place}/${tag}`);
    expect(await pageOf(address, 'ja')).toBe(plain);
  },
);

test('the footer of a language takes the place of the links of the look, also on error pages', async () => {
  await call('PATCH /branding', {
    footer_links: [{ label: 'Imprint', href: 'https://example.org/i' }],
  });
  const links = '[Impressum](https://example.org/de)\n[Datenschutz](https://example.org/d)';
  expect((await call('PATCH /branding/words/footer/de', { links })).status).toBe(200);
  for (const address of ['/login', '/oauth/authorize?client_id=none']) {
    expect(await pageOf(address, 'en')).toContain('>Imprint<');
    const page = await pageOf(address, 'de');
    expect(page).not.toContain('Imprint<');
    expect(page).toMatch(/href="https:\/\/example\.org\/de"[^>]*>(<bdi>)?Impressum/);
    expect(page).toContain('https://example.org/d"');
  }
  expect((await call('PATCH /branding/words/footer/de', { links: 'Hello' })).status).toBe(422);
  await call('PATCH /branding', { footer_links: [] });
});

describe.each(sound.filter(({ kept }) => kept))('an app’s line with $why', ({ typed, kept }) => {
  test('is on its sign-in and consent page, which have nothing else that they did not have', async () => {
    const client = await newClient({ redirectUris: ['https://lined.example/cb'] });
    const path = authorizePath({ client_id: client.id, response_type: 'code' });
    const pagesNow = async () => [
      await new Person(server).open(path),
      await someone.open(`${path}&prompt=consent`),
    ];
    const before = await pagesNow();
    expect(before.map(({ at }) => at.split('?')[0])).toEqual(['/login', '/consent']);
    await call(`PATCH /clients/${client.id}`, { page_lines: { any: typed } });
    const links = (kept.match(/\]\(/g) ?? []).map(() => 'a');
    for (const [index, page] of (await pagesNow()).entries()) {
      expect(madeOf(page.html)).toEqual([...madeOf(before[index]?.html ?? ''), ...links].sort());
      const [, inside = ''] = /<p class="gh-own" dir="auto">(.*?)<\/p>/s.exec(page.html) ?? [];
      expect(unescapeHtml(inside.replace(/<[^>]*>/g, ''))).toBe(plainOf(kept.replace(/\s+/g, ' ')));
    }
  });
});

test('an app’s line is in its reader’s language, else for everyone, and beside the server’s words', async () => {
  const client = await newClient({ redirectUris: ['https://lined.example/cb'] });
  const address = authorizePath({ client_id: client.id, response_type: 'code' });
  const lines = async (language: string) => {
    const visitor = new Person(server);
    visitor.language = language;
    const { html } = await visitor.open(address);
    return [...html.matchAll(/<p class="gh-own"[^>]*>(.*?)<\/p>/gs)].map(([, inside]) => inside);
  };
  await call(`PATCH /clients/${client.id}`, { page_lines: { de: 'Für *Mitglieder*' } });
  expect(await lines('de')).toEqual(['Für <em>Mitglieder</em>']);
  expect(await lines('ja')).toEqual([]);
  await call(`PATCH ${signIn}`, { lead: 'Lead', help: 'Help' });
  await call(`PATCH /clients/${client.id}`, {
    page_lines: { any: 'Members of {product}', 'pt-BR': 'Só', de: ' ' },
  });
  expect(await lines('de')).toEqual(['Lead', 'Members of <bdi>Gatehouse</bdi>', 'Help']);
  expect(await lines('pt')).toEqual(['Lead', 'Só', 'Help']);
  const { status, body } = await call(`PATCH /clients/${client.id}`, { page_lines: { de: '{x}' } });
  expect(status).toBe(422);
  expect(body).toMatchObject({
    errors: [{ field: 'page_lines', detail: expect.stringMatching(/^“de”: Braces/) }],
  });
});

test('a version that somebody else has changed is not written over, and rights are asked for', async () => {
  const etag = (await call(`GET ${signIn}`)).headers.get('etag') ?? '';
  const change = (json: object) =>
    callApi(server, `PATCH ${signIn}`, { key, json, headers: { 'If-Match': etag } });
  expect((await change({ lead: 'One' })).status).toBe(200);
  expect((await change({ lead: 'Two' })).status).toBe(412);
  expect((await call('GET /branding/words')).body).toMatchObject({
    words: [{ place: 'sign-in', language: 'any', lead: 'One', title: null }],
  });
  const reads = await keyWith(['branding:read']);
  const answer = await callApi(server, `PATCH ${signIn}`, { key: reads, json: { lead: 'Three' } });
  expect(answer.status).toBe(403);
  for (const address of ['sign-in/xx', 'sign-in/__proto__', 'nowhere/any', '__proto__/any'])
    expect((await call(`PATCH /branding/words/${address}`, { lead: 'x' })).status).toBe(422);
  expect(({} as { lead?: string }).lead).toBeUndefined();
});

test('admins who say something at different places at once all keep it', async () => {
  const places = ['sign-in', 'registration', 'sign-out', 'signed-out'];
  const each = places.flatMap((place) => [`${place}/any`, `${place}/de`]);
  const answers = await Promise.all(
    each.map((at) => call(`PATCH /branding/words/${at}`, { lead: `Lead of ${at}` })),
  );
  expect(answers.map(({ status }) => status)).toEqual(each.map(() => 200));
  const { words } = (await call('GET /branding/words')).body as { words: { lead: string }[] };
  expect(words.map(({ lead }) => lead).toSorted()).toEqual(
    each.map((at) => `Lead of ${at}`).toSorted(),
  );
});
