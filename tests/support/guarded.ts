import { request as send } from 'node:http';
import type { ProxyKind } from '#lib/endpoints/proxy/forwarded.ts';
import { updateClient } from '#lib/management/client/clients.ts';
import type { ClientSettings } from '#lib/oauth/client.ts';
import type { TestServer } from './open-server.ts';
import type { Person } from './person.ts';
import { type ClientOptions, newClient } from './seed.ts';

export const proxyKinds: ProxyKind[] = ['nginx', 'traefik', 'caddy', 'haproxy', 'apache', 'envoy'];

/** What a proxy's question was answered. */
export type Answer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
};

type Visit = {
  method?: string;
  headers?: Record<string, string>;
  /** Headers that the proxy itself sends, in place of what it would. */
  proxy?: Record<string, string>;
};

/** What a browser sends when a page is opened. */
const opening = {
  accept: 'text/html,application/xhtml+xml',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
};

/** Stores an app with guarded sites. */
export async function newGuarded(options: ClientOptions & { guardedSites: string[] }) {
  return newClient({
    redirectUris: [],
    grants: ['authorization_code'],
    scopes: ['openid', 'profile', 'email', 'groups'],
    firstParty: true,
    ...options,
  });
}

/** A browser at guarded sites, with a proxy of one kind in front of them. */
export class SiteBrowser {
  readonly person: Person;
  readonly kind: ProxyKind;
  /** Headers that the proxy adds to each question. */
  proxy: Record<string, string> = {};
  /** By host. */
  readonly jars = new Map<string, Map<string, string>>();

  constructor(person: Person, kind: ProxyKind) {
    this.person = person;
    this.kind = kind;
  }

  jarOf(url: string): Map<string, string> {
    const { host } = new URL(url);
    const jar = this.jars.get(host) ?? new Map<string, string>();
    this.jars.set(host, jar);
    return jar;
  }

  /** One request of the browser, as the proxy asks about it. */
  async ask(url: string, { method = 'GET', headers = {}, proxy }: Visit = {}): Promise<Answer> {
    const jar = this.jarOf(url);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const { path, ...said } = saidBy(this.kind, url, method);
    const answer = await sendTo(this.person.server, path, {
      method: this.kind === 'envoy' ? method : 'GET',
      headers: {
        ...(cookie && { cookie }),
        ...headers,
        ...said.headers,
        'x-forwarded-for': this.person.address,
        ...this.proxy,
        ...proxy,
      },
    });
    for (const set of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (/max-age=0\b/i.test(set)) jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  }

  open = (url: string, headers: Record<string, string> = {}) =>
    this.ask(url, { headers: { ...opening, ...headers } });

  /** Opens a page, signs in where asked, and follows until the site lets it in or refuses. */
  async enter(url: string): Promise<Answer & { at: string }> {
    let at = url;
    let answer = await this.open(at);
    for (let hops = 0; hops < 8; hops += 1) {
      const { location } = answer.headers;
      if (typeof location !== 'string') return { ...answer, at };
      const isOurs = location.startsWith(this.person.server.issuer);
      at = isOurs ? (await this.returned(location)).at : location;
      if (at.startsWith('/')) return { ...answer, at };
      answer = await this.open(at);
    }
    throw new Error(`${url} redirects without end, lately to ${at}`);
  }

  /** Where this server sends the browser back to. */
  returned = async (location: string) =>
    this.person.goThrough(await this.person.open(location.slice(this.person.server.issuer.length)));
}

type Sent = { method: string; headers: Record<string, string> };

/** The question of a proxy of this kind about a request. */
function saidBy(
  kind: ProxyKind,
  url: string,
  method: string,
): { path: string; headers: Record<string, string> } {
  const [, scheme = '', host = '', target = ''] = /^(\w+):\/\/([^/]*)(.*)$/s.exec(url) ?? [];
  if (kind === 'nginx')
    return {
      path: '/proxy/verify/nginx',
      headers: { 'x-original-url': url, 'x-original-method': method },
    };
  const proto = { 'x-forwarded-proto': scheme };
  if (kind === 'envoy')
    return { path: `/proxy/verify/envoy${target}`, headers: { ...proto, host } };
  const rest = {
    'x-forwarded-host': host,
    'x-forwarded-uri': target,
    'x-forwarded-method': method,
  };
  return { path: `/proxy/verify/${kind}`, headers: { ...proto, ...rest } };
}

function sendTo({ port }: TestServer, path: string, { method, headers }: Sent) {
  return new Promise<Answer>((resolve, reject) => {
    const sent = send({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
    });
    sent.on('error', reject).end();
  });
}

/** Changes an app as the command line does. @throws AdminRefusal */
export const change = (id: string, settings: Partial<ClientSettings>) =>
  updateClient(id, settings, { actor: { id: 'cli' }, now: new Date() });
