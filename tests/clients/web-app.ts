import { expect } from 'vitest';
import { updateClient } from '#lib/management/clients.ts';
import { actor } from '../management/people.ts';
import type { House } from '../support/house.ts';
import type { Person } from '../support/person.ts';
import { prisma } from '../support/prisma.ts';
import type { TestUser } from '../support/seed.ts';
import { AppBrowser, denyAt, locationOf, newPerson, openAt } from './visit.ts';

/** A web app of a recipe that runs, at its address. */
export type WebApp = { address: string; clientId: string };

/** Somebody, in a browser that has been at the app and at this server. */
export type Visitor = { user: TestUser; person: Person; browser: AppBrowser };

/** Somebody who denies first: the app says so, and they sign in by the link that it offers. */
export async function signInAfterDenying(
  house: House,
  app: WebApp,
  start = '/login',
): Promise<Visitor> {
  const [{ user, person }, browser] = [await newPerson(house), new AppBrowser()];
  const leaving = await browser.go(app.address + start);
  const denied = await browser.go(await denyAt(person, locationOf(leaving)));
  const said = await denied.text();
  expect(said).toContain('You said no.');
  const [, again = ''] = /href="([^"]*)">Try again</.exec(said) ?? [];
  await browser.follow(await browser.signIn(person, new URL(again, app.address)), app.address);
  return { user, person, browser };
}

/** Tokens of an app that libraries take for expired as soon as they have them. */
export async function letTokensExpire({ clientId }: WebApp): Promise<void> {
  await updateClient(clientId, { accessTokenTtl: 10 }, actor, new Date());
}

/** How often the tokens of somebody's latest sign-in at an app were renewed. */
export async function renewals({ clientId }: WebApp, { user }: Visitor): Promise<number> {
  const latest = await (await prisma()).authorization.findFirstOrThrow({
    where: { clientId, userId: user.id },
    orderBy: { createdAt: 'desc' },
  });
  return latest.rotation;
}

/** Follows an app that signs somebody out: they come back to it, and are signed out at this server, unasked. */
export async function expectSignedOut(
  app: WebApp,
  { person }: Visitor,
  answer: Response,
): Promise<void> {
  expect((await openAt(person, locationOf(answer))).at).toBe(`${app.address}/`);
  expect((await person.open('/account')).at).toMatch(/^\/login/);
}

/** The whole life of a sign-in at an app that has the pages `/login`, `/me` and `/logout`. */
export async function tryWholeLife(house: House, app: WebApp): Promise<void> {
  await letTokensExpire(app);
  const visitor = await signInAfterDenying(house, app);
  const { user, browser } = visitor;
  const home = async () => (await browser.go(app.address)).text();
  expect(await home()).toContain(user.username);
  // The second one has to be made with what the first one brought.
  for (const times of [1, 2]) {
    const me = await browser.go(`${app.address}/me`);
    expect(await me.json()).toMatchObject({ sub: user.id, email: user.email });
    expect(await renewals(app, visitor)).toBe(times);
  }
  await expectSignedOut(app, visitor, await browser.go(`${app.address}/logout`, {}));
  expect(await home()).toContain('Sign in');
  expect(await home()).not.toContain(user.username);
}
