import { describe, expect, test } from 'vitest';
import { addressOf, readSources } from '#lib/docs/source.ts';
import { createClient } from '#lib/management/client/clients.ts';
import { addContact } from '#lib/management/client/contacts.ts';
import { allRecipes } from '#lib/recipes/list.ts';
import { forChange } from '../lanes.ts';
import { actor } from '../management/people.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import { Person } from '../support/person.ts';
import { newClient, newUser } from '../support/seed.ts';

const server = await openServer();
/** Under Next.js one route answers for all of them, so for a change a few are enough. */
const someOf = <One>(all: readonly One[]) =>
  forChange && server.mount === 'next' ? all.filter((_, index) => index % 8 === 0) : all;
const get = async (path: string) => {
  const response = await fetch(server.base + path, { headers: { Accept: 'text/html' } });
  return { status: response.status, html: await response.text() };
};

test('every page of docs/ is served under /docs, with its title, its navigation and the search', async () => {
  const pages = readSources();
  expect(pages.length).toBeGreaterThan(30);
  for (const { path, text } of someOf(pages)) {
    const title = path === '' ? 'Documentation' : /^# (.*)$/m.exec(text)?.[1];
    const { status, html } = await get(addressOf(path));
    expect(status, path).toBe(200);
    expect(textOf(html), path).toContain(title?.replaceAll('`', ''));
    const parts = ['action="/docs"', '<nav id="pages"'].filter((part) => html.includes(part));
    expect(parts, path).toHaveLength(2);
    expect(html.includes('<!-- not run here'), path).toBe(false);
  }
});

test('the page docs/mcp has this server’s issuer in its code', async () => {
  const { html } = await get('/docs/mcp');
  expect(html).toContain(`fetch(&quot;${server.issuer}/oauth/introspect&quot;`);
  expect(html).not.toContain('https://id.example.org');
});

test('the search of /docs finds a setting, marks it, and links to its row', async () => {
  const { status, html } = await get('/docs?q=require_pkce');
  expect(status).toBe(200);
  expect(html).toContain('href="/docs/settings#REQUIRE_PKCE"');
  expect(html).toMatch(/<mark class="doc-mark">REQUIRE_PKCE<\/mark>/);
  const { html: row } = await get('/docs/settings');
  expect(row).toContain('<tr id="REQUIRE_PKCE">');
});

test('a search of /docs without results says so, and shows what was typed as text', async () => {
  const { html } = await get('/docs?q=xyzzy+%22%3E%3Cqqq%3E');
  expect(html).toContain('Nothing was found.');
  expect(html).toContain('value="xyzzy &quot;&gt;&lt;qqq&gt;"');
  expect(html).not.toContain('<qqq>');
});

test('a search of /docs with a very long or repeated q is answered', async () => {
  const { status, html } = await get(`/docs?q=${'a'.repeat(5000)}`);
  expect(status).toBe(200);
  expect(html).toContain(`value="${'a'.repeat(100)}"`);
  expect((await get('/docs?q=pkce&q=code')).status).toBe(200);
});

test('every recipe has a page, with its source, its trap, what was not checked, and no secret', async () => {
  const { html: list } = await get('/docs/recipes');
  for (const { id, name, trap, source } of someOf(allRecipes())) {
    expect(list, id).toContain(`href="/docs/recipes/${id}"`);
    const { status, html } = await get(`/docs/recipes/${id}`);
    expect(status, id).toBe(200);
    const text = textOf(html);
    for (const part of [name, trap, source.version, ...source.pages, ...source.notChecked])
      expect(text, id).toContain(part);
    expect(html, id).not.toContain('gh_cs_');
    expect(html, id).not.toContain('https://id.example.org');
  }
  expect((await get('/docs/recipes/nothing')).status).toBe(404);
});

test('recipes are found by search words', async () => {
  const { html } = await get('/docs/recipes?q=auth.js');
  expect(html).toContain('href="/docs/recipes/nextjs"');
  expect(html).not.toContain('href="/docs/recipes/gitea"');
  expect(textOf((await get('/docs/recipes?q=%3Cb%3E')).html)).toContain('Nothing matches “<b>”');
});

describe('code samples of /docs with the values of an app', () => {
  const page = '/docs/guides/sign-in';
  const redirectUri = 'https://shop.example/cb';
  const secretOf = 'gh_cs_';

  /** The page as this person sees it. */
  const pageOf = async (person: Person, query = '') => (await person.open(page + query)).html;

  test('are filled in for an app that the reader is a developer contact of, without the secret', async () => {
    const { username, id } = await newUser();
    const own = await newClient({ redirectUris: [redirectUri] });
    const other = await newClient();
    await addContact(own.id, id, actor, new Date());
    const person = new Person(server, username);
    await person.signIn();
    expect(await pageOf(person)).toContain(`<option value="${own.id}"`);
    expect(await pageOf(person)).toContain('client_id=YOUR-CLIENT-ID');
    const shown = await pageOf(person, `?app=${own.id}`);
    expect(shown).toContain(`client_id=${own.id}&amp;redirect_uri=${redirectUri}&amp;`);
    expect(shown).not.toContain('YOUR-CLIENT-ID');
    expect(shown).not.toContain(secretOf);
    const foreign = await pageOf(person, `?app=${other.id}`);
    expect(foreign).not.toMatch(new RegExp(`(value="|client_id=)${other.id}`));
    expect(foreign).toContain('YOUR-CLIENT-ID');
  });

  test('are filled in for an admin with any app, except for values unsafe in a shell', async () => {
    const { username } = await newUser({ isAdmin: true });
    const evil = await newClient({ redirectUris: ["https://a.example/';reboot;'"] });
    const person = new Person(server, username);
    await person.signIn();
    const shown = await pageOf(person, `?app=${evil.id}`);
    expect(shown).toContain(`<option value="${evil.id}"`);
    expect(shown).not.toContain('reboot');
    expect(shown).toContain('YOUR-CLIENT-ID');
    for (const none of ['nothing', '%00', '__proto__', 'a&app=b', '%F0%9F'])
      expect((await person.open(`${page}?app=${none}`)).status, none).toBeLessThan(500);
  });

  test('of a recipe are filled in with the answers that the app was created with', async () => {
    const { username, id } = await newUser();
    const made = { name: 'Code', redirectUris: ['https://code.example/x'], type: 'confidential' };
    const recipe = 'gitea?address=https%3A%2F%2Fcode.example&provider=gatehouse';
    const { client } = await createClient(
      { ...made, type: 'confidential', recipe },
      actor,
      new Date(),
    );
    await addContact(client.id, id, actor, new Date());
    const person = new Person(server, username);
    await person.signIn();
    const { html } = await person.open(`/docs/recipes/gitea?app=${client.id}`);
    expect(html).toContain(client.id);
    expect(html).toContain('https://code.example/user/oauth2/');
  });

  test('are not filled in for a reader who is not signed in, and the page is not cached', async () => {
    const own = await newClient();
    const answer = await fetch(`${server.base}${page}?app=${own.id}`);
    expect(answer.headers.get('cache-control')).toContain('no-store');
    const html = await answer.text();
    expect(html).not.toMatch(new RegExp(`(value="|client_id=)${own.id}`));
    expect(html).not.toContain('name="app"');
  });
});

describe('docs as Markdown', () => {
  const textAt = async (path: string) => {
    const answer = await fetch(server.base + path);
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      text: await answer.text(),
    };
  };

  test('every page that llms.txt names is served as Markdown with this server’s issuer', async () => {
    const { type, text } = await textAt('/llms.txt');
    expect(type).toBe('text/plain; charset=utf-8');
    expect(text).toMatch(/^# Gatehouse\n\n> /);
    const links = [...text.matchAll(/\]\((\S+)\)/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(100);
    const openapi = `${server.issuer}/api/v1/openapi.json`;
    expect(links).toEqual(
      expect.arrayContaining([
        openapi,
        ...['api/user', 'errors/invalid_grant', 'not-here'].map(
          (path) => `${server.issuer}/docs/${path}.md`,
        ),
      ]),
    );
    expect(text).toContain(': private_key_jwt instead');
    for (const link of someOf(links.filter((each) => each !== openapi))) {
      expect(link.startsWith(`${server.issuer}/docs`), link).toBe(true);
      const page = await textAt(link.slice(server.issuer.length));
      expect([page.status, page.type], link).toEqual([200, 'text/markdown; charset=utf-8']);
      expect(page.text, link).toMatch(/^# /m);
    }
    const guide = await textAt('/docs/guides/sign-in.md');
    expect(guide.text).toContain(`curl -sS "${server.issuer}/oauth/token"`);
    expect(guide.text).toContain('allowInsecureRequests');
    expect((await textAt('/docs/api/README.md')).text).toMatch(/^# API$/m);
    // The issuer of this server is http, which this library has to be told.
    expect((await textAt('/docs/recipes/openid-client.md')).text).toContain(
      'allowInsecureRequests',
    );
  });

  test('an error code has its page as Markdown, at the address of error_uri', async () => {
    const { status, text } = await textAt('/docs/errors/invalid_grant.md');
    expect(status).toBe(200);
    expect(text).toMatch(/^# invalid_grant\n\n.*\n## What to check\n\n- A code works once/s);
  });

  test('llms-full.txt has every page that says how something is done, with this server’s issuer', async () => {
    const { type, text } = await textAt('/llms-full.txt');
    expect(type).toBe('text/plain; charset=utf-8');
    for (const title of ['# Your first sign-in', '# API: user', '# Errors', '# What is not here'])
      expect(text).toContain(`\n${title}\n`);
    expect(text).toContain(`curl -sS "${server.issuer}/oauth/token"`);
    expect(text).not.toContain('# 49.');
  });

  test.each([
    '/docs/nothing.md',
    '/docs/errors/nothing.md',
    '/docs/invalid_grant.md',
    '/docs/.md',
    '/docs/..%2F..%2FCHANGELOG.md',
    '/docs/__proto__.md',
  ])('%s is 404', async (path) => expect((await textAt(path)).status).toBe(404));
});

test
  .skipIf(server.mount === 'next')
  .each([
    '/docs/nothing',
    '/docs/__proto__',
    '/docs/pages%2Fmcp',
    '/docs/decisions%2F0014-a-wrong-address',
    '/docs/errors/no_such_error',
    '/docs/..%2F..%2Fpackage',
  ])('%s is 404 on a page that links to the documentation', async (path) => {
  const { status, html } = await get(path);
  expect(status).toBe(404);
  expect(textOf(html)).toContain('The documentation has no such page');
  expect(html).toContain('href="/docs"');
});
