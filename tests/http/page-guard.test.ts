import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { serverOf } from '../lab/soak/ground.ts';
import { newLogFile } from '../support/database.ts';
import { formsOf } from '../support/html.ts';
import { onOneForChange } from '../support/on-each-database.ts';
import type { TestServer } from '../support/open-server.ts';
import { Person } from '../support/person.ts';
import { png } from '../support/pictures.ts';
import { send } from '../support/raw.ts';
import { newUser } from '../support/seed.ts';
import { failuresIn } from '../support/serve-setup.ts';
import { type Server, startServer } from '../support/server.ts';
import { sharedEnv } from '../support/shared-env.ts';

let server: Server;
let logFile: string;
let gatehouse: TestServer;
let admin: Person;

onOneForChange(tests);

function tests() {
  beforeAll(async () => {
    const databaseUrl = process.env.DATABASE_URL ?? '';
    logFile = newLogFile('page-guard');
    server = await startServer({ mount: 'direct', databaseUrl, logFile });
    Object.assign(process.env, sharedEnv, { ISSUER: server.origin, LOG_LEVEL: 'silent' });
    gatehouse = serverOf(server, databaseUrl);
    admin = new Person(gatehouse, (await newUser({ isAdmin: true })).username);
    await admin.signIn();
  });
  afterAll(async () => {
    await server.stop();
    expect(failuresIn(logFile)).toEqual([]);
  });

  describe('a query beyond the limits is refused before a page reads it', () => {
    test.each([
      ['65 parameters', Array(65).fill('a=').join('&')],
      ['28 KB of one repeated name', Array(9300).fill('a=').join('&')],
      ['28 KB of names', Array.from({ length: 4000 }, (_, index) => `n${index}=`).join('&')],
      ['a parameter of 9 KB', `flow=${'x'.repeat(9000)}`],
      ['NUL', 'flow=%00'],
      ['invalid UTF-8', 'flow=%ff'],
    ])('%s: 400', async (_, query) => {
      for (const path of ['/login', '/', '/nowhere', '/pictures/x', '/docs/errors/x']) {
        const { status, headers } = await send(server.port, `GET ${path}?${query} HTTP/1.1`);
        expect([path, status]).toEqual([path, 400]);
        expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      }
    });

    test('64 parameters are accepted', async () => {
      const query = Array(64).fill('a=').join('&');
      expect((await send(server.port, `GET /login?${query} HTTP/1.1`)).status).toBe(200);
    });
  });

  test.each(['%00', '%ff', '%c0%af', '%ed%a0%80', 'a%'])(
    'a path that is not valid UTF-8 text is answered with 400: %s',
    async (part) => {
      for (const path of [
        `/pictures/${part}`,
        `/marks/${part}`,
        `/logos/${part}/x`,
        `/logos/x/${part}`,
        `/branding/logo/${part}`,
        `/branding/colours/${part}`,
        `/branding/app-colours/${part}`,
        `/docs/errors/${part}`,
        `/account/apps/${part}`,
        `/admin/people/${part}`,
        `/${part}`,
      ]) {
        const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const answer = await send(server.port, `GET ${path} HTTP/1.1\r\nCookie: ${cookie}`);
        expect([path, answer.status]).toEqual([path, 400]);
        expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
      }
    },
  );

  describe('the body of a request to a page', () => {
    const multipart = 'Content-Type: multipart/form-data; boundary=x';

    test.each(['/', '/login', '/nowhere', '/docs', '/admin', '/admin/settings/look'])(
      'of 5 MB posted to %s is refused',
      async (path) => {
        const body = 'x'.repeat(5 * 1024 * 1024);
        for (const length of [`Content-Length: ${body.length}`, 'Transfer-Encoding: chunked']) {
          const sent = length.startsWith('T') ? `500000\r\n${body}\r\n0\r\n\r\n` : body;
          const head = `POST ${path} HTTP/1.1\r\n${multipart}\r\n${length}`;
          expect([404, 413]).toContain((await send(server.port, head, sent)).status);
        }
      },
    );

    test('is refused without waiting for its end', async () => {
      const head = `POST /login HTTP/1.1\r\n${multipart}\r\nContent-Length: 9000000`;
      expect((await send(server.port, head, 'x')).status).toBe(404);
    });

    test('is refused for GET', async () => {
      const head = 'GET /login HTTP/1.1\r\nContent-Length: 5';
      expect((await send(server.port, head, 'hello')).status).toBe(400);
    });

    test.each(['/login', '/account', '/account/profile', '/docs', '/nowhere'])(
      'a program that posts to the page %s reads JSON',
      async (path) => {
        const body = new URLSearchParams({ name: 'Ada' });
        const answer = await fetch(`${gatehouse.base}${path}`, { method: 'POST', body });
        expect(answer.status).toBe(404);
        expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
      },
    );

    test('and other methods: 405, or 404 where they would send one', async () => {
      const answer = await send(server.port, 'OPTIONS /login HTTP/1.1');
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
      for (const method of ['PUT', 'PATCH', 'DELETE'])
        expect((await send(server.port, `${method} /login HTTP/1.1`)).status).toBe(404);
    });
  });

  describe('server actions accept only the forms of the dashboard', () => {
    /** The branding form as it is on the page, to be posted without scripts. */
    const formOf = async () => {
      const page = await admin.open('/admin/settings/look');
      const found = page.forms.find(({ fields }) => 'accent' in fields && 'seen' in fields);
      if (!found) throw new Error(`There is no such form: ${page.html.slice(0, 500)}`);
      return new Map(Object.entries(found.fields));
    };
    const post = (fields: Iterable<[string, string | Blob]>, headers = {}) => {
      const form = new FormData();
      for (const [name, value] of fields) form.append(name, value);
      return postBody(form, headers);
    };
    const postBody = (body: BodyInit, headers: Record<string, string> = {}) =>
      fetch(`${gatehouse.base}/admin/settings/look`, {
        method: 'POST',
        body,
        redirect: 'manual',
        headers: {
          Cookie: [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          Origin: gatehouse.issuer,
          ...headers,
        },
      });
    /** What the server has printed so far, line by line. */
    const printed = () => readFileSync(logFile, 'utf8').trimEnd().split('\n');
    /** The lines printed since then, once there are this many. */
    const linesSince = (before: readonly string[], count: number) =>
      vi.waitFor(() => {
        const lines = printed().slice(before.length);
        expect(lines.length).toBeGreaterThanOrEqual(count);
        return lines;
      }, 10_000);
    const own = (fields: Map<string, string>, part: RegExp) =>
      [...fields.keys()].find((name) => part.test(name)) ?? '';

    test('an unchanged form is accepted', async () => {
      const fields = await formOf();
      const answer = await post(fields.set('accent', '#336699').set('name', 'Guarded'));
      expect([answer.status, answer.headers.get('location')]).toEqual([
        303,
        '/admin/settings/look',
      ]);
    });

    test('a refused form is shown again with what was typed, even with special field names', async () => {
      const fields = await formOf();
      fields.set('accent', 'no colour').set('constructor', 'x').set('__proto__', 'y');
      const answer = await post(fields.set('name', '$ACTION'));
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain('no colour');
    });

    test('a refused form can be posted again', async () => {
      const again = await post((await formOf()).set('accent', 'no colour').set('name', '$1'));
      const form = formsOf(await again.text()).find(({ fields }) => 'accent' in fields);
      const fields = new Map(Object.entries(form?.fields ?? {}));
      expect(fields.get('name')).toBe('$1');
      expect((await post(fields.set('accent', '#336699'))).status).toBe(303);
    });

    test.each<[string, (fields: Map<string, string>) => unknown]>([
      ['without its action', (fields) => fields.delete(own(fields, /REF/))],
      ['without its state', (fields) => fields.delete(own(fields, /:1$/))],
      ['a broken state', (fields) => fields.set(own(fields, /:1$/), '[{"serial"')],
      ['no state', (fields) => fields.set(own(fields, /:1$/), '[]')],
      ['a reference', (fields) => fields.set(own(fields, /:1$/), '[{"a":"$F1"}]')],
      ['a reference to itself', (fields) => fields.set(own(fields, /:1$/), '[{"a":"$1"}]')],
      ['a promise', (fields) => fields.set(own(fields, /:1$/), '[{"then":"$1:__proto__"}]')],
      ['a broken action', (fields) => fields.set(own(fields, /:0$/), '{')],
      [
        'an action of no name',
        (fields) => fields.set(own(fields, /:0$/), '{"id":"x","bound":"$@1"}'),
      ],
      ['more of React’s fields', (fields) => fields.set('$ACTION_9:0', '{}')],
      ['an action by its id', (fields) => fields.set(`$ACTION_ID_${'a'.repeat(42)}`, '')],
      ['a value of 9 KB', (fields) => fields.set('name', 'x'.repeat(9000))],
      ['NUL', (fields) => fields.set('name', 'a\0')],
    ])('%s: 400', async (_, change) => {
      const fields = await formOf();
      change(fields);
      const answer = await post(fields);
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    });

    test('300 parts: 400', async () => {
      const parts = Array.from({ length: 300 }, () => ['name', 'x'] as [string, string]);
      expect((await post([...(await formOf()), ...parts])).status).toBe(400);
    });

    test.each<[string, Record<string, string>, string]>([
      ['urlencoded', { 'Content-Type': 'application/x-www-form-urlencoded' }, 'name=x'],
      ['text', { 'Content-Type': 'text/plain', 'Next-Action': 'a'.repeat(42) }, '[]'],
      ['no multipart', { 'Content-Type': 'multipart/form-data; boundary=x' }, 'hello'],
      ['multipart without a boundary', { 'Content-Type': 'multipart/form-data' }, '--x--'],
      ['unfinished multipart', { 'Content-Type': 'multipart/form-data; boundary=x' }, '--x\r\nA'],
    ])('%s: 400', async (_, headers, body) => {
      expect((await postBody(body, headers)).status).toBe(400);
    });

    test.each(['[]', '[{},"$K1","x"]', '["$K1"]', '[{"a":"$L1"},"$K1"]', '[{},"$1"]', '{'])(
      'arguments other than a form, sent by scripts: %s',
      async (value) => {
        const answer = await post([['0', value]], { 'Next-Action': 'a'.repeat(42) });
        expect(answer.status).toBe(400);
      },
    );

    test('a form sent by scripts is accepted, or refused with what was typed', async () => {
      const fields = await formOf();
      const named = String(fields.get(own(fields, /:0$/)));
      const id = /"id":"([0-9a-f]+)"/.exec(named)?.[1] ?? '';
      const typed = [...fields].filter(([name]) => !name.startsWith('$'));
      const scripted = (accent: string) =>
        post(
          [
            ...[...new Map([...typed, ['accent', accent]])].map(
              ([name, value]): [string, string] => [`_1_${name}`, value ?? ''],
            ),
            ['0', '[{"serial":0,"faults":{},"error":"$undefined"},"$K1"]'],
          ],
          { 'Next-Action': id, Accept: 'text/x-component' },
        );
      const refused = await scripted('no colour');
      expect([refused.status, await refused.text()]).toEqual([
        200,
        expect.stringContaining('no colour'),
      ]);
      expect((await scripted('#336699')).headers.get('x-action-redirect')).toMatch(
        /^.admin.settings.look/,
      );
    });

    test('an unknown action is refused with 409, and logged in one short line without its id', async () => {
      const before = printed();
      const marker = 'abcdef'.repeat(7);
      const byScripts = await post([['0', '[{"serial":0,"faults":{}},"$K1"]']], {
        'Next-Action': marker,
      });
      expect([byScripts.status, byScripts.headers.get('x-nextjs-action-not-found')]).toEqual([
        409,
        '1',
      ]);
      const fields = await formOf();
      const reference = own(fields, /:0$/);
      const other = String(fields.get(reference)).replace(/[0-9a-f]{40,}/, marker);
      const plain = await post(fields.set(reference, other));
      expect([plain.status, await plain.text()]).toEqual([
        409,
        expect.stringContaining('This page is out of date'),
      ]);
      const lines = await linesSince(before, 2);
      expect(lines.map((line) => JSON.parse(line))).toEqual([
        expect.objectContaining({ msg: 'refused', problem: 'form_outdated' }),
        expect.objectContaining({ msg: 'refused', problem: 'form_outdated' }),
      ]);
      expect(lines.join()).not.toContain('abcdef');
      for (const line of lines) expect(line.length).toBeLessThan(500);
    });

    test('an action without Origin writes only JSON lines to the log', async () => {
      const before = printed();
      const form = new FormData();
      for (const [name, value] of await formOf()) form.append(name, value);
      const address = `${gatehouse.base}/admin/settings/look`;
      const answer = await fetch(address, { method: 'POST', body: form, redirect: 'manual' });
      expect(answer.headers.get('location')).toMatch(/^\/login/);
      // This request logs a line; any line of the earlier request is there before it.
      await post([['0', '[]']], { 'Next-Action': 'a'.repeat(42) });
      for (const line of await linesSince(before, 1)) JSON.parse(line);
    });

    test('a picture is accepted', async () => {
      const page = await admin.open('/admin/settings/look');
      const form = page.forms.find(({ fields }) => 'logo' in fields);
      const fields = new Map<string, string | Blob>(Object.entries(form?.fields ?? {}));
      fields.set('logo', new File([new Uint8Array(png(40, 40))], 'x.png'));
      const answer = await post(fields);
      expect([answer.status, answer.headers.get('location')]).toEqual([
        303,
        '/admin/settings/look',
      ]);
    });
  });
}
