import { expect } from 'vitest';
import { updateClient } from '#lib/management/client/clients.ts';
import { actor } from '../management/people.ts';
import { formsOf, textOf, unescapeHtml } from '../support/html.ts';
import type { TestServer } from '../support/open-server.ts';
import type { Person } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import type { TestUser } from '../support/seed.ts';
import { AppBrowser, allowAt, denyAt, locationOf, newPerson, openAt } from './visit.ts';

/** A running web app of a recipe. */
export type WebApp = {
  address: string;
  clientId: string;
  /** The path of the page that says who is signed in, if it is not the first. */
  start?: string;
  /** Makes what the app keeps of sign-ins due to be asked about; else it is when tokens expire. */
  makeDue?: () => void;
};

/** The page of an app that says who is signed in. */
export const homeOf = ({ address, start = '' }: WebApp): string => address + start;

/** A user, with a browser for the app and one for this server. */
export type Visitor = { user: TestUser; person: Person; browser: AppBrowser };

/** A page of the app as its browser has it. */
type AppPage = { at: URL; html: string };

/** Opens a page of the app. */
export async function openPage(browser: AppBrowser, at: URL | string): Promise<AppPage> {
  return { at: new URL(at), html: await (await browser.go(at)).text() };
}

/** Presses a link or button on a page, found by its text. A button sends everything in its form. */
export async function press(
  browser: AppBrowser,
  { at, html }: AppPage,
  words: string,
): Promise<Response> {
  const links = html.matchAll(/<a\b[^>]*\bhref="([^"]*)"[^>]*>([^<]*)</g);
  const link = [...links].find(([, , said = '']) => said.trim() === words);
  if (link) return browser.go(new URL(unescapeHtml(link[1] ?? ''), at));
  const forms = html.match(/<form\b.*?<\/form>/gs) ?? [];
  const source = forms.find(
    (each) => each.includes(`>${words}<`) || each.includes(`value="${words}"`),
  );
  const [form] = formsOf(source ?? '');
  if (!source || !form) throw new Error(`Nothing at ${at} says “${words}”: ${textOf(html)}`);
  const fields = { ...form.fields, ...Object.fromEntries(form.buttons.map(pairOf)) };
  return browser.go(new URL(form.action, at), /multipart/.test(source) ? formData(fields) : fields);
}

function formData(fields: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
}

const pairOf = ({ name, value }: { name: string; value: string }) => [name, value] as const;

/** Follows redirects within the app, up to the foreign address that the browser is sent to. */
export async function leave(browser: AppBrowser, answer: Response, at: string): Promise<URL> {
  const { origin } = new URL(at);
  let to = new URL(locationOf(answer), at);
  while (to.origin === origin) to = new URL(locationOf(await browser.go(to)), to);
  return to;
}

/**
 * Signs in through a link or button on a page of the app, found by its text, and comes back to the
 * app.
 */
async function enter({ browser, person }: Visitor, page: AppPage, words: string): Promise<void> {
  const away = await leave(browser, await press(browser, page, words), page.at.href);
  await browser.follow(await browser.go(await allowAt(person, away)), page.at.origin);
}

/** A user who first denies. The app says so, and they sign in through the link that it offers. */
export async function signInAfterDenying(server: TestServer, app: WebApp): Promise<Visitor> {
  const visitor = { ...(await newPerson(server)), browser: new AppBrowser() };
  const { browser, person } = visitor;
  const home = await openPage(browser, homeOf(app));
  const away = await leave(browser, await press(browser, home, 'Sign in'), app.address);
  const back = await denyAt(person, away);
  const denied = await browser.follow(await browser.go(back), app.address);
  const said = { at: new URL(homeOf(app)), html: await denied.text() };
  expect(said.html).toContain('You said no.');
  await enter(visitor, said, 'Try again');
  return visitor;
}

/** From now on, gives the app tokens that libraries immediately treat as expired. */
async function letTokensExpire({ clientId }: WebApp): Promise<void> {
  await updateClient(clientId, { accessTokenTtl: 10 }, { actor, now: new Date() });
}

/** How often the tokens of a user's latest sign-in at an app have been renewed. */
export async function renewals(
  { clientId }: Pick<WebApp, 'clientId'>,
  { user }: Pick<Visitor, 'user'>,
): Promise<number> {
  const latest = await (await prisma()).authorization.findFirstOrThrow({
    where: { clientId, userId: user.id },
    orderBy: { createdAt: 'desc' },
  });
  return latest.rotation;
}

/**
 * Follows an app that signs a user out. They come back to the app, and are signed out at this
 * server without being asked.
 */
async function expectSignedOut(app: WebApp, { person }: Visitor, answer: Response): Promise<void> {
  const { origin, pathname } = new URL((await openAt(person, locationOf(answer))).at);
  expect(origin + pathname).toBe(`${app.address}/`);
  expect((await person.open('/account')).at).toMatch(/^\/login/);
}

/** Signs a user out with the button on the app's home page. */
export async function signOut(app: WebApp, visitor: Visitor): Promise<void> {
  const { browser } = visitor;
  const home = await openPage(browser, homeOf(app));
  await expectSignedOut(app, visitor, await press(browser, home, 'Sign out'));
}

/** The whole life of a sign-in at an app with a page that says who is signed in. */
export async function tryWholeLife(server: TestServer, app: WebApp, page = '/me'): Promise<void> {
  await letTokensExpire(app);
  const visitor = await signInAfterDenying(server, app);
  const { user, browser } = visitor;
  const home = async () => (await browser.go(app.address)).text();
  expect(await home()).toContain(user.username);
  // The second renewal has to use the result of the first.
  for (let times = 0; times < 2; times += 1) {
    const before = await renewals(app, visitor);
    const me = await browser.go(app.address + page);
    expect(await me.json()).toMatchObject({ sub: user.id, email: user.email });
    expect(await renewals(app, visitor)).toBeGreaterThan(before);
  }
  await signOut(app, visitor);
  expect(await home()).toContain('Sign in');
  expect(await home()).not.toContain(user.username);
}
