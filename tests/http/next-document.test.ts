import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { sendDocuments, stripRuntime, takeGzip } from '#lib/http/next-document.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

const gone = { status: 404, headers: { 'x-own': '1' }, body: 'There’s nothing here' };
const failed = { status: 503, headers: { 'x-own': '2' }, body: 'Try again later' };

/**
 * The answer of a server whose pages `write` sends, as raw bytes, because fetch would decode them.
 */
async function ask(write: RequestListener, accepts?: string) {
  const server = createServer((request, response) => {
    const ours = { failed: () => failed, missing: () => gone };
    sendDocuments(response, takeGzip(request), ours);
    write(request, response);
  }).listen(0, '127.0.0.1');
  stops.push(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const { request } = await import('node:http');
  type Answer = { status: number | undefined; headers: Record<string, unknown>; body: Buffer };
  return new Promise<Answer>((resolve, reject) => {
    const headers = accepts === undefined ? {} : { 'accept-encoding': accepts };
    request({ port, host: '127.0.0.1', headers, agent: false }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) });
    })
      .on('error', reject)
      .end();
  });
}

const page =
  '<head><link rel="preload" as="script" href="/_next/a.js"/><link rel="stylesheet" href="/_next/a.css"/>' +
  '<script src="/_next/a.js" async=""></script><script async="" src="/enhance.js" nonce="n"></script></head>' +
  '<body><p>&lt;script&gt;</p><script>self.__next_f.push([1,"\\u003cp>"])</script></body>';
const kept =
  '<head><link rel="stylesheet" href="/_next/a.css"/>' +
  '<script async="" src="/enhance.js" nonce="n"></script></head><body><p>&lt;script&gt;</p></body>';

test('the scripts of Next.js are removed from a page; styles, text and our own script stay', () => {
  expect(stripRuntime(page)).toBe(kept);
});

test('a page that Next.js writes in pieces is sent complete, with gzip if accepted', async () => {
  const write: RequestListener = ({ headers }, response) => {
    expect(headers).not.toHaveProperty('accept-encoding');
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.flushHeaders();
    // Cut within a tag, and within a character.
    const bytes = Buffer.from(page.replace('<p>', '<p>ä'));
    const cut = bytes.indexOf(0xa4);
    response.write(bytes.subarray(0, 30));
    response.write(bytes.subarray(30, cut));
    response.end(bytes.subarray(cut));
  };
  const expected = kept.replace('<p>', '<p>ä');
  const small = await ask(write, 'br, gzip;q=0.5');
  expect(small.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(small.body).toString()).toBe(expected);
  for (const accepts of [undefined, 'br', 'gzip;q=0', 'identity']) {
    const { headers, body } = await ask(write, accepts);
    expect(headers).not.toHaveProperty('content-encoding');
    expect(body.toString()).toBe(expected);
  }
});

test.each<[string, RequestListener]>([
  [
    'a document in pieces',
    (_, response) => {
      response.statusCode = 500;
      response.setHeader('content-type', 'text/html');
      response.setHeader('x-next', '1');
      response.flushHeaders();
      response.write('<html>');
      response.end('</html>');
    },
  ],
  [
    'a text with its headers at once',
    (_, response) => response.writeHead(500, 'Failed', { 'content-type': 'text/plain' }).end('no'),
  ],
  ['nothing but a status', (_, response) => response.writeHead(500).end()],
])('a failure of Next.js is replaced by our page: %s', async (_, write) => {
  const { status, headers, body } = await ask(write, 'gzip');
  expect([status, headers['x-own'], body.toString()]).toEqual([503, '2', failed.body]);
  expect(headers).not.toHaveProperty('x-next');
});

test('a failure of Next.js in an answer to a script is left unchanged', async () => {
  const { status, body } = await ask((_, response) => {
    response.writeHead(500, { 'content-type': 'text/x-component' }).end('failed');
  });
  expect([status, body.toString()]).toEqual([500, 'failed']);
});

test('an answer that is not HTML is left unchanged', async () => {
  const { headers, body } = await ask((_, response) => {
    response.writeHead(200, { 'content-type': 'text/x-component' });
    response.write('<script>');
    response.end('1</script>');
  }, 'gzip');
  expect(headers).not.toHaveProperty('content-encoding');
  expect(body.toString()).toBe('<script>1</script>');
});

test('an HTML document of Next.js that needs scripts is replaced by our page', async () => {
  const { headers, body } = await ask((_, response) => {
    response.statusCode = 404;
    response.setHeader('content-type', 'text/html');
    response.setHeader('x-next', '1');
    response.write('<!DOCTYPE html><html id="__next_error__"><head></head>');
    response.end('<body></body></html>');
  }, 'gzip');
  expect(headers).toMatchObject({ 'x-own': '1' });
  expect(headers).not.toHaveProperty('x-next');
  expect(body.toString()).toBe(gone.body);
});
