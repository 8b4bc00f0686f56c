import { randomBytes, randomInt } from 'node:crypto';
import { textIn } from '#lib/messages/text.ts';
import { csrfOf } from '#lib/sealed/browser.ts';
import { cookieName } from '#lib/sealed/cookies.ts';
import { write } from '#lib/store/engine/database.ts';
import { type Form, formsOf, textOf } from './html.ts';
import type { TestServer } from './open-server.ts';
import { newUser, password, type TestUser } from './seed.ts';

/** The page of ours that a browser ended up at, or the foreign address that it was sent to. */
export type Page = {
  /** The path and query on this server; an absolute address if the browser was sent elsewhere. */
  at: string;
  status: number;
  headers: Headers;
  html: string;
  forms: Form[];
};

type Visit = { method?: string; body?: string; headers?: Record<string, string> };

/** What the consent page says if something changed since it was shown. */
const changed = textIn('en')('consent.changed');

/**
 * A person with a browser without scripts. It keeps cookies, follows redirects, and submits forms
 * exactly as they are on the page.
 */
export class Person {
  readonly cookies = new Map<string, string>();
  readonly server: TestServer;
  /**
   * The address of this browser, so that wrong passwords in one test do not slow down the people of
   * another.
   */
  address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
  readonly username: string;
  /** What the browser sends as Accept-Language. */
  language = '';

  constructor(server: TestServer, username = '') {
    this.server = server;
    this.username = username;
  }

  /** Sends one request, without following redirects. */
  async request(path: string, visit: Visit = {}): Promise<Response> {
    const response = await fetch(new URL(path, this.server.base), {
      method: visit.method ?? 'GET',
      redirect: 'manual',
      body: visit.body ?? null,
      headers: {
        Cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(this.address && { 'X-Forwarded-For': this.address }),
        ...(this.language && { 'Accept-Language': this.language }),
        ...(visit.body === undefined
          ? {}
          : { 'Content-Type': 'application/x-www-form-urlencoded' }),
        ...visit.headers,
      },
    });
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie);
    return response;
  }

  #keep(cookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (/max-age=0\b/i.test(cookie)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }

  /**
   * Opens an address and follows redirects until a page answers or a redirect leaves this server.
   */
  async open(path: string, visit: Visit = {}): Promise<Page> {
    let at = path;
    let response = await this.request(path, visit);
    for (let hops = 0; hops < 12; hops += 1) {
      const location = response.headers.get('location');
      if (location === null) return pageOf(at, response, await response.text());
      await response.body?.cancel();
      const next = location.startsWith('/') ? location : this.#inside(location);
      if (next === null) return pageOf(location, response, '');
      [at, response] = [next, await this.request(next)];
    }
    throw new Error(`${path} redirects without end, lately to ${at}`);
  }

  #inside(location: string): string | null {
    const url = new URL(location, this.server.base);
    return url.origin === this.server.base || url.origin === this.server.issuer
      ? url.pathname + url.search
      : null;
  }

  /** Submits a form as it is on the page, with these fields filled in. */
  submit(page: Page, action: string, filled: Record<string, string> = {}): Promise<Page> {
    const { body, headers } = this.postOf(page, action, filled);
    return this.open(action, { method: 'POST', body, headers });
  }

  /** The request that a browser would send for a form on a page. */
  postOf(
    page: Page,
    action: string,
    filled: Record<string, string> = {},
  ): { body: string; headers: Record<string, string> } {
    const form = page.forms.find((each) => each.action === action);
    if (!form)
      throw new Error(
        `${page.at} (${page.status}) has no form for ${action}:\n${page.html.slice(0, 2000)}`,
      );
    const headers = { Origin: this.server.issuer, 'Sec-Fetch-Site': 'same-origin' };
    return { body: new URLSearchParams({ ...form.fields, ...filled }).toString(), headers };
  }

  /** Fills in the sign-in page. */
  signInAt(page: Page, username = this.username, word = password): Promise<Page> {
    return this.submit(page, '/login/submit', { username, password: word });
  }

  async signIn(username = this.username, word = password): Promise<Page> {
    return this.signInAt(await this.open('/login'), username, word);
  }

  async signOut(): Promise<Page> {
    return this.submit(await this.open('/logout'), '/logout/submit');
  }

  decide(page: Page, decision: 'allow' | 'deny'): Promise<Page> {
    return this.submit(page, '/consent/submit', { decision });
  }

  /**
   * Goes through the whole authorization, signing in and allowing where asked, until the browser
   * leaves this server.
   */
  async authorize(params: Params): Promise<Page> {
    return this.goThrough(await this.open(authorizePath(params)));
  }

  /** Signs in and allows where a page asks for it. */
  async goThrough(start: Page): Promise<Page> {
    let page = start;
    if (page.at.startsWith('/login')) page = await this.signInAt(page);
    if (page.at.startsWith('/consent')) page = await this.decide(page, 'allow');
    // Test files that run at the same time create scopes, which an app without a list of scopes may
    // then ask for.
    for (let tries = 0; tries < 3 && page.html.includes(changed); tries += 1)
      page = await this.decide(page, 'allow');
    return page;
  }

  /** Like `authorize`, but returns the code. */
  async code(params: Params): Promise<string> {
    const page = await this.authorize(params);
    return answerOf(page).code ?? fail(page);
  }
}

export type Params = Record<string, string> | [string, string][];

export function authorizePath(params: Params): string {
  return `/oauth/authorize?${new URLSearchParams(params)}`;
}

/** The parameters that a client receives at its redirect URI. */
export function answerOf(page: Page): Record<string, string> {
  if (page.at.startsWith('/')) fail(page);
  return Object.fromEntries(new URL(page.at).searchParams);
}

function fail(page: Page): never {
  throw new Error(
    `No answer for the client, but ${page.at} (${page.status}):\n${page.html.slice(0, 2000)}`,
  );
}

/** What a browser shows of an answer. */
export function pageOf(at: string, response: Response, html: string): Page {
  return { at, status: response.status, headers: response.headers, html, forms: formsOf(html) };
}

/** Sends the sign-in page's post without opening the page, and returns the answer. */
export async function postSignIn(
  person: Person,
  username = person.username,
  word = password,
): Promise<Response> {
  const name = cookieName('browser');
  const browser = person.cookies.get(name) ?? randomBytes(32).toString('base64url');
  person.cookies.set(name, browser);
  const fields = { csrf: csrfOf(browser), username, password: word };
  const body = new URLSearchParams(fields).toString();
  const headers = { Origin: person.server.issuer, 'Sec-Fetch-Site': 'same-origin' };
  return person.request('/login/submit', { method: 'POST', body, headers });
}

/** Ends the ten seconds in which a form that is sent again gets the same answer. */
export async function forgetSentForms(): Promise<void> {
  await write("DELETE FROM kept_answers WHERE caller = 'form'", []);
}

/** Whether a browser reaches the account page without signing in. */
export const isSignedIn = async (person: Person): Promise<boolean> =>
  (await person.open('/account')).at === '/account';

export type Admin = Person & { id: string };

/** An admin who is signed in. */
export async function newAdmin(server: TestServer): Promise<Admin> {
  const user = await newUser({ isAdmin: true });
  const admin = Object.assign(new Person(server, user.username), { id: user.id });
  await admin.signIn();
  return admin;
}

/** A new user who has not signed in yet. */
export const newVisitor = async (server: TestServer): Promise<Person> =>
  new Person(server, (await newUser()).username);

/** A new user who is signed in, by the post of the sign-in page without opening the page. */
export async function newPerson(server: TestServer): Promise<Person & { user: TestUser }> {
  const user = await newUser();
  const person = Object.assign(new Person(server, user.username), { user });
  const answer = await postSignIn(person);
  if (answer.headers.get('location') !== '/account')
    throw new Error(`Signing in was answered ${answer.status}: ${textOf(await answer.text())}`);
  return person;
}
