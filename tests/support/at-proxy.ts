import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { connect } from 'node:http2';
import { request as send } from 'node:https';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import type { Person } from './person.ts';

/** What came back through a proxy. `echoed` is what a WebSocket sent back. */
type Came = {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  echoed?: string;
};

type Sent = {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string;
  /** In place of the app's host. */
  host?: string;
  /** The address of this machine that it comes from: 127.0.0.1 if left out. */
  from?: string;
};

/** What a browser sends when a page is opened, by a script, and for a WebSocket. */
const opening = {
  accept: 'text/html,application/xhtml+xml',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
};
export const fetching = { accept: '*/*', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };
export const connecting = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

/** A browser at an app behind a proxy on this machine. */
export class AtProxy {
  readonly person: Person;
  readonly port: number;
  readonly host: string;
  readonly jar = new Map<string, string>();

  constructor(person: Person, port: number, host = 'app.example.org') {
    this.person = person;
    this.port = port;
    this.host = host;
  }

  get site(): string {
    return `https://${this.host}:${this.port}`;
  }

  /** The cookies for a request, if it names none of its own. */
  get cookie(): Record<string, string> {
    const cookie = [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ');
    return cookie ? { cookie } : {};
  }

  /** Sends one request. The target is sent as it is, dots and all. */
  async send(target: string, { method = 'GET', headers, body, host: named, from }: Sent = {}) {
    const request = send({
      host: '127.0.0.1',
      servername: this.host,
      port: this.port,
      path: target,
      method,
      localAddress: from,
      agent: false,
      headers: { host: named ?? `${this.host}:${this.port}`, ...this.cookie, ...headers },
    });
    request.end(body);
    const came = await new Promise<Came>((resolve, reject) => {
      request.on('error', reject);
      request.on('upgrade', (_, socket) => resolve(speak(socket)));
      request.on('response', (answer) => read(answer).then(resolve, reject));
    });
    this.#keep(came);
    return came;
  }

  /** Sends bytes as they are. Gives all that came back until the connection was closed. */
  async raw(bytes: string): Promise<string> {
    const socket = connectTls({ host: '127.0.0.1', port: this.port, servername: this.host });
    let came = '';
    socket.setTimeout(3000, () => socket.destroy());
    socket.setEncoding('latin1').on('data', (text: string) => {
      came += text;
    });
    socket.on('error', () => socket.destroy()).write(bytes, 'latin1');
    await once(socket, 'close');
    return came;
  }

  open = (target: string, sent: Sent = {}) =>
    this.send(target, { ...sent, headers: { ...opening, ...sent.headers } });

  /** Opens a page and signs in where asked, until the app or a refusal answers. */
  async enter(target: string): Promise<Came & { at: string }> {
    let at = target;
    for (let hops = 0; hops < 8; hops += 1) {
      const came = await this.open(at);
      const { location } = came.headers;
      if (location === undefined) return { ...came, at };
      at = location.startsWith(this.site)
        ? location.slice(this.site.length)
        : await this.#signIn(location);
      if (!at.startsWith('/')) return { ...came, at };
    }
    throw new Error(`${target} redirects without end, lately to ${at}`);
  }

  async #signIn(location: string): Promise<string> {
    const { issuer } = this.person.server;
    if (!location.startsWith(issuer)) throw new Error(`It leads to ${location}.`);
    const { at } = await this.person.goThrough(
      await this.person.open(location.slice(issuer.length)),
    );
    return at.startsWith(this.site) ? at.slice(this.site.length) : `at Gatehouse: ${at}`;
  }

  /** The same over HTTP/2. */
  async http2(path: string, headers: Record<string, string> = {}): Promise<Came> {
    const session = connect(this.site, {
      lookup: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
    });
    try {
      const stream = session.request({ ':path': path, ...this.cookie, ...headers });
      const [answer] = (await once(stream, 'response')) as [IncomingHttpHeaders];
      let body = '';
      for await (const chunk of stream.setEncoding('utf8')) body += chunk;
      return { status: Number(answer[':status']), headers: answer, body };
    } finally {
      session.close();
    }
  }

  #keep({ headers }: Came): void {
    for (const cookie of headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (/max-age=0\b/i.test(cookie)) this.jar.delete(name);
      else this.jar.set(name, value);
    }
  }
}

async function read(answer: IncomingMessage): Promise<Came> {
  let body = '';
  for await (const chunk of answer.setEncoding('utf8')) body += chunk;
  return { status: answer.statusCode ?? 0, headers: answer.headers, body };
}

async function speak(socket: Duplex): Promise<Came> {
  socket.write('hello');
  const [data] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return { status: 101, headers: {}, body: '', echoed: data.toString() };
}
