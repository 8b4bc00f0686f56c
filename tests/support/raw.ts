import { connect } from 'node:net';

/**
 * The answer to a request that was sent byte for byte. Status 0 means that the connection ended
 * without one.
 */
export type RawAnswer = { status: number; headers: Headers; body: string };

/**
 * Sends a request exactly as given, where `fetch` would normalise it. `head` is the request line,
 * followed by further headers.
 */
export function send(
  port: number,
  head: string,
  body = '',
  describeBody = true,
): Promise<RawAnswer> {
  const described =
    !describeBody || /^(content-length|transfer-encoding):/im.test(head) || body === '';
  const lines = [
    head,
    ...(/^host:/im.test(head) ? [] : [`Host: localhost:${port}`]),
    ...(described ? [] : [`Content-Length: ${Buffer.byteLength(body, 'latin1')}`]),
    'Connection: close',
  ];
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1');
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // The server can answer and close before it has read everything.
      if (chunks.length === 0 || !['EPIPE', 'ECONNRESET'].includes(error.code ?? '')) reject(error);
    });
    socket.on('close', () => resolve(parse(Buffer.concat(chunks).toString('utf8'))));
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1');
  });
}

function parse(text: string): RawAnswer {
  const at = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, at < 0 ? undefined : at).split('\r\n');
  const headers = new Headers();
  for (const line of lines) {
    const [, name, value] = /^([\w-]+): *(.*)$/.exec(line) ?? [];
    if (name) headers.append(name, value ?? '');
  }
  const raw = at < 0 ? '' : text.slice(at + 4);
  const body = headers.get('transfer-encoding') === 'chunked' ? unchunk(raw) : raw;
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0), headers, body };
}

function unchunk(text: string): string {
  return text.replace(/(?:^|\r\n)[0-9a-f]+\r\n/gi, '');
}
