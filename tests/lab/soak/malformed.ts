const host = 'Host: localhost\r\n';
const posted = (headers: string, body: string) =>
  `POST /oauth/token HTTP/1.1\r\n${host}${headers}\r\n${body}`;
const chunked = 'Transfer-Encoding: chunked\r\n';
const megabytes = 'x'.repeat(4_000_000);

/**
 * Malformed requests, requests that no server can accept, and requests for features that only other
 * servers have.
 */
export const malformed: Record<string, string> = {
  'a tunnel': `CONNECT a.example:443 HTTP/1.1\r\n${host}\r\n`,
  'a tunnel, and what goes through it': `CONNECT a.example:443 HTTP/1.1\r\n${host}\r\n${'x'.repeat(5000)}`,
  'HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0',
  TLS: `\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03${'x'.repeat(500)}`,
  SSH: 'SSH-2.0-OpenSSH_9\r\n',
  RTSP: 'OPTIONS rtsp://a RTSP/1.0\r\n\r\n',
  'an answer': 'HTTP/1.1 200 OK\r\n\r\n',
  'HTTP/0.9': 'GET /\r\n\r\n',
  'HTTP/1.0': 'GET /healthz HTTP/1.0\r\n\r\n',
  'HTTP/9.9': `GET / HTTP/9.9\r\n${host}\r\n`,
  'line feeds alone': 'GET / HTTP/1.1\nHost: a\n\n',
  'a space in a name': 'GET / HTTP/1.1\r\nHo st: a\r\n\r\n',
  'a folded header': 'GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n',
  'no host': 'GET / HTTP/1.1\r\n\r\n',
  'two hosts': `GET / HTTP/1.1\r\n${host}${host}\r\n`,
  'a small method': `get / HTTP/1.1\r\n${host}\r\n`,
  'an unknown method': `BREW / HTTP/1.1\r\n${host}\r\n`,
  'no path': `OPTIONS * HTTP/1.1\r\n${host}\r\n`,
  'a path of another host': `GET http://x/login HTTP/1.1\r\n${host}\r\n`,
  'a path with NUL': `GET /\0 HTTP/1.1\r\n${host}\r\n`,
  'two ways to say a length': posted(`Content-Length: 5\r\n${chunked}`, '0\r\n\r\n'),
  'two lengths': posted('Content-Length: 5\r\nContent-Length: 6\r\n', 'abcdef'),
  'a length below nothing': posted('Content-Length: -5\r\n', ''),
  'an unknown coding': posted('Transfer-Encoding: gzip\r\n', 'abc'),
  'a chunk without length': posted(chunked, 'zz\r\nabc'),
  'a chunk longer than it says': posted(chunked, '3\r\nabcdefgh\r\n0\r\n\r\n'),
  'a chunk with much beside it': posted(chunked, `1;${'x'.repeat(40_000)}\r\na\r\n0\r\n\r\n`),
  'a chunk without length, to a page': `GET /login HTTP/1.1\r\n${host}${chunked}\r\nzz\r\nabc`,
  'long trailers': posted(chunked, `1\r\na\r\n0\r\nx: ${'y'.repeat(50_000)}\r\n\r\n`),
  'a wish to go on': posted('Expect: 100-continue\r\nContent-Length: 3\r\n', 'a=b'),
  'an unknown wish': posted('Expect: x\r\nContent-Length: 3\r\n', 'a=b'),
  'a web socket': `GET /login HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  'an upgrade of a post': posted(
    'Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 3\r\n',
    'a=b',
  ),
  'a long header': `GET / HTTP/1.1\r\n${host}X: ${megabytes}\r\n\r\n`,
  'a long path': `GET /${'x'.repeat(40_000)} HTTP/1.1\r\n${host}\r\n`,
  'many headers': `GET / HTTP/1.1\r\n${host}${'X: 1\r\n'.repeat(3000)}\r\n`,
  'a page with a body': `GET /login HTTP/1.1\r\n${host}Content-Length: 4000000\r\nConnection: close\r\n\r\n${megabytes}`,
  'a page and much behind it': `GET /login HTTP/1.1\r\n${host}Connection: close\r\n\r\n${megabytes}`,
  'a long post to a page': `POST /account HTTP/1.1\r\n${host}Connection: close\r\nContent-Length: 4000000\r\n\r\n${megabytes}`,
  'a long post to an endpoint': posted('Content-Length: 4000000\r\n', megabytes),
  'a file with a body': `PUT /gatehouse.css HTTP/1.1\r\n${host}Content-Length: 4000000\r\n\r\n${megabytes}`,
};
