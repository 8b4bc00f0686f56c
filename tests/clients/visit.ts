import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';
import { textOf } from '../support/html.ts';
import type { TestServer } from '../support/open-server.ts';
import { type Page, Person } from '../support/person.ts';
import { newUser, type TestUser } from '../support/seed.ts';

/** A person who has never been here. */
export async function newPerson(server: TestServer): Promise<{ user: TestUser; person: Person }> {
  const user = await newUser({ name: 'Ada Lovelace' });
  return { user, person: new Person(server, user.username) };
}

/**
 * Signs in and allows at the address that a client library made. Returns the address that the
 * browser is sent back to.
 */
export async function allowAt(person: Person, url: URL | string): Promise<URL> {
  return outsideOf(await person.goThrough(await openAt(person, url)));
}

/** Like `allowAt`, but presses “Deny”. */
export async function denyAt(person: Person, url: URL | string): Promise<URL> {
  const start = await openAt(person, url);
  const page = start.at.startsWith('/login') ? await person.signInAt(start) : start;
  return outsideOf(await person.decide(page, 'deny'));
}

/** Opens an address of this server that an app made. */
export function openAt(person: Person, url: URL | string): Promise<Page> {
  const { pathname, search } = new URL(url);
  return person.open(pathname + search);
}

/**
 * The address that the browser was sent to. @throws Error with the page's text if the browser is
 * still at this server
 */
function outsideOf({ at, status, html }: Page): URL {
  if (URL.canParse(at)) return new URL(at);
  throw new Error(`Still at ${at} (${status}): ${textOf(html)}`);
}

/** The browser at the app's own addresses, with the app's own cookies. */
export class AppBrowser {
  readonly #cookies = new Map<string, string>();
  /** The cookies that browsers keep back when another site posts a form: `SameSite`. */
  readonly #kept = new Set<string>();
  readonly #answer: (request: Request) => Promise<Response>;

  constructor(answer: (request: Request) => Promise<Response> = fetch) {
    this.#answer = answer;
  }

  /** A browser that has the cookies of this moment. */
  copy(): AppBrowser {
    const copy = new AppBrowser(this.#answer);
    for (const [name, value] of this.#cookies) copy.#cookies.set(name, value);
    return copy;
  }

  /**
   * Sends one request, without following redirects.
   * @param isForeign it is a form that a page of another site posts
   */
  async go(
    url: URL | string,
    form?: Record<string, string> | FormData,
    isForeign = false,
  ): Promise<Response> {
    const sent = [...this.#cookies].filter(([name]) => !isForeign || !this.#kept.has(name));
    const cookie = sent.map(([name, value]) => `${name}=${value}`).join('; ');
    const body = form instanceof FormData ? form : form && new URLSearchParams(form);
    const origin = isForeign ? 'https://elsewhere.example' : new URL(url).origin;
    const request = new Request(url, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      // On a new connection, because apps close idle ones after seconds, perhaps just now.
      headers: { cookie, connection: 'close', ...(form && { origin }) },
      ...(body && { body }),
    });
    const response = await this.#answer(request);
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (/max-age=0\b/i.test(set)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
      if (/samesite=(lax|strict)/i.test(set)) this.#kept.add(name);
      else this.#kept.delete(name);
    }
    return response;
  }

  /** Follows redirects within the app until there is a page. */
  async follow(answer: Response, origin: string): Promise<Response> {
    let page = answer;
    for (let hops = 0; hops < 5 && page.headers.has('location'); hops += 1)
      page = await this.go(new URL(locationOf(page), origin));
    return page;
  }

  /** Starts at a link in the app, signs the person in at this server, and comes back to the app. */
  async signIn(person: Person, link: URL | string): Promise<Response> {
    return this.go(await allowAt(person, locationOf(await this.go(link))));
  }
}

/** Sends what is for a program at this address to a port here, as the proxy in front of it does. */
export const proxyFrom =
  (address: string, port: number) =>
  (request: Request): Promise<Response> => {
    const { origin, host, pathname, search } = new URL(request.url);
    if (origin !== address) throw new Error(`${request.url} is not for ${address}.`);
    const told = { 'x-forwarded-proto': 'https', 'x-forwarded-host': host };
    const headers = { ...Object.fromEntries(request.headers), ...told };
    return fetch(`http://127.0.0.1:${port}${pathname}${search}`, { headers, redirect: 'manual' });
  };

/** The address that an answer redirects to. */
export function locationOf(response: Response): string {
  const location = response.headers.get('location');
  if (!location) throw new Error(`No redirect, but ${response.status}.`);
  return location;
}

/**
 * Serves an app on a free port until the test file ends. Returns its origin; the app is made once
 * that is known.
 */
export async function serveApp(
  makeApp: (origin: string) => RequestListener | Promise<RequestListener>,
): Promise<string> {
  let app: RequestListener = (_, response) => response.writeHead(503).end();
  const server = createServer((request, response) => app(request, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  app = await makeApp(origin);
  return origin;
}
