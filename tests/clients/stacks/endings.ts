import { expect } from 'vitest';
import { updateClient } from '#lib/management/client/clients.ts';
import { revokeGrants } from '#lib/management/grant/grants.ts';
import { updateUser } from '#lib/management/user/user-profile.ts';
import { disableUser } from '#lib/management/user/users.ts';
import { findRecipe } from '#lib/recipes/list.ts';
import { actor } from '../../management/people.ts';
import { formsOf, textOf } from '../../support/html.ts';
import { prisma } from '../../support/prisma.ts';
import { AppBrowser, allowAt, denyAt, newPerson, openAt } from '../visit.ts';
import { homeOf, leave, openPage, press, signOut, type Visitor, type WebApp } from '../web-app.ts';
import { absences, type GatedServer } from './gate.ts';
import type { Stack } from './stack.ts';

const patiently = { timeout: 20_000 };

type Change = (params: URLSearchParams) => void;

const withoutPkce: Change = (params) => {
  for (const name of ['code_challenge', 'code_challenge_method']) params.delete(name);
};

/** What a stranger changes in the request and in the answer before somebody else opens that. */
const forgeries: readonly { request?: Change; answer?: Change }[] = [
  {},
  { answer: (params) => params.delete('state') },
  { answer: (params) => params.set('state', '') },
  { answer: (params) => params.set('state', 'undefined') },
  {
    request: (params) => {
      withoutPkce(params);
      params.delete('state');
      params.delete('nonce');
    },
  },
  { request: withoutPkce, answer: (params) => params.set('state', '') },
];

/** How a sign-in at the app of a recipe can fail or end, and what the app has to make of it. */
export class Endings {
  readonly #gatehouse: GatedServer;
  readonly #app: WebApp;
  readonly #stack: Stack;
  /** Whether this server tells the app of sign-outs (OpenID Connect Back-Channel Logout). */
  readonly #isTold: boolean;

  constructor(id: string, server: GatedServer, app: WebApp, stack: Stack) {
    this.#isTold = findRecipe(id)?.backchannelLogoutUri !== undefined;
    this.#gatehouse = server;
    this.#app = app;
    this.#stack = stack;
  }

  /** An answer that its own browser did not ask for signs nobody in (RFC 9700 section 4.7). */
  async forgedAnswer(): Promise<void> {
    // As if the app had been made before its recipe required PKCE: the app itself has to see it.
    await this.#requirePkce(false);
    for (const forge of forgeries) {
      const stranger = await this.#newVisitor();
      const away = await this.#leave(stranger);
      forge.request?.(away.searchParams);
      const back = await allowAt(stranger.person, away);
      forge.answer?.(back.searchParams);
      const fresh = { ...stranger, browser: new AppBrowser() };
      await this.#see(fresh, back.href);
      await this.#expectNobody(fresh, `after ${back}`);
    }
    await this.#requirePkce(!this.#stack.withoutPkce);
  }

  async #requirePkce(requirePkce: boolean): Promise<void> {
    await updateClient(this.#app.clientId, { requirePkce }, { actor, now: new Date() });
  }

  /** A request without PKCE is refused, because the app's text sends it (RFC 9700 section 2.1.1). */
  async requestWithoutPkce(): Promise<void> {
    const stranger = await this.#newVisitor();
    const away = await this.#leave(stranger);
    expect(away.searchParams.get('code_challenge_method')).toBe('S256');
    withoutPkce(away.searchParams);
    const { at } = await openAt(stranger.person, away);
    expect(new URL(at).searchParams.get('error')).toBe('invalid_request');
  }

  /** Who denies is told so, and can sign in after that. */
  async denial(): Promise<void> {
    const visitor = await this.#newVisitor();
    const back = await denyAt(visitor.person, await this.#leave(visitor));
    const { status, html } = await this.#see(visitor, back.href);
    expect(textOf(html)).toContain(this.#stack.denied ?? 'You said no.');
    expect(status).toBeLessThan(500);
    await this.#enter(visitor);
    await this.#expectSignedIn(visitor, 'after a denial');
  }

  /** An access that was taken away ends the sign-in once the app uses its token, or is told. */
  async endedAccess(): Promise<void> {
    const { asks } = this.#stack;
    if (!asks && !this.#isTold) return;
    const visitor = await this.#enter();
    await this.#expectSignedIn(visitor, 'at first');
    await this.#takeAccess(visitor);
    if (!this.#isTold) {
      const { status, html } = await this.#see(visitor, this.#app.address + asks);
      expect([status, textOf(html)]).toEqual([401, 'Your sign-in has ended. Sign in again']);
    }
    await this.#expectNobody(visitor, 'after an access has ended');
    await this.#enter(visitor);
    await this.#expectSignedIn(visitor, 'again after an access has ended');
  }

  /** The same, if it is the renewal of an expired token that is refused (`invalid_grant`). */
  async refusedRefresh(): Promise<void> {
    const visitor = await this.#enter();
    await this.#takeAccess(visitor);
    this.#app.makeDue?.();
    const { status } = await this.#see(visitor);
    expect(status).toBeLessThan(500);
    await this.#expectNobody(visitor, 'after a renewal was refused');
    await this.#enter(visitor);
    await this.#expectSignedIn(visitor, 'again after a renewal was refused');
  }

  /** A server that is away for a moment costs nobody their sign-in. */
  async absence(): Promise<void> {
    const visitor = await this.#enter();
    for (const by of absences) {
      this.#app.makeDue?.();
      this.#gatehouse.shut(by);
      for (let tries = 0; tries < 2; tries += 1) {
        const { html } = await this.#see(visitor, homeOf(this.#app), true);
        expect(textOf(html)).not.toContain('has ended');
      }
      this.#gatehouse.open();
      await this.#expectSignedIn(visitor, `once ${by} no longer answers for the server`);
    }
  }

  /** Nobody stays signed in who is gone. */
  async goneForGood(): Promise<void> {
    const visitor = await this.#enter();
    await this.#expectSignedIn(visitor, 'at first');
    await disableUser(visitor.user.id, actor, new Date());
    await this.#hearing();
    this.#app.makeDue?.();
    await this.#see(visitor);
    await this.#expectNobody(visitor, 'once the person is disabled');
  }

  /**
   * A session is its person's own: cookies from before the sign-in, which somebody may have planted,
   * do not have it, and pages of other sites cannot end it.
   */
  async ownSession(): Promise<void> {
    const visitor = await this.#newVisitor();
    const back = await allowAt(visitor.person, await this.#leave(visitor));
    const planted = { ...visitor, browser: visitor.browser.copy() };
    await this.#see(visitor, back.href);
    await this.#expectSignedIn(visitor, 'at first');
    await this.#expectNobody(planted, 'with the cookies of before');
    const { html } = await this.#see(visitor);
    const out = formsOf(html.match(/<form\b(?:(?!<form\b).)*?Sign out.*?<\/form>/s)?.[0] ?? '')[0];
    if (!out) return;
    const at = new URL(out.action, homeOf(this.#app));
    await (await visitor.browser.go(at, {}, true)).text();
    await this.#expectSignedIn(visitor, 'after another site has posted the form to sign out');
  }

  /** The button of the app signs out of it and of this server. */
  async signOut(): Promise<void> {
    const visitor = await this.#enter();
    await signOut(this.#app, visitor);
    await this.#expectNobody(visitor, 'after signing out');
  }

  /** From now on, gives the app tokens that libraries immediately treat as expired. */
  async letTokensExpire(): Promise<void> {
    await updateClient(this.#app.clientId, { accessTokenTtl: 10 }, { actor, now: new Date() });
  }

  async #newVisitor(): Promise<Visitor> {
    const made = await newPerson(this.#gatehouse);
    await updateUser(made.user.id, { emailVerified: true }, actor, new Date());
    return { ...made, browser: new AppBrowser() };
  }

  /** Starts a sign-in at the app. Returns where it sends the browser. */
  async #leave({ browser }: Visitor): Promise<URL> {
    const home = await openPage(browser, homeOf(this.#app));
    return leave(browser, await press(browser, home, 'Sign in'), this.#app.address);
  }

  async #enter(visitor?: Visitor): Promise<Visitor> {
    const entering = visitor ?? (await this.#newVisitor());
    const back = await allowAt(entering.person, await this.#leave(entering));
    await this.#see(entering, back.href);
    return entering;
  }

  async #takeAccess({ user }: Visitor): Promise<void> {
    await revokeGrants({ user: user.id, client: this.#app.clientId }, actor, new Date());
    await this.#hearing();
  }

  /** Waits until an app with a back-channel address has heard of what ended. */
  async #hearing(): Promise<void> {
    const { clientId } = this.#app;
    const { logoutDelivery } = await prisma();
    await expect.poll(() => logoutDelivery.count({ where: { clientId } }), patiently).toBe(0);
  }

  /**
   * What a page of the app shows once it has sent the browser around. A question that nobody has to
   * answer (`prompt=none`) is taken to this server, unless it is away.
   */
  async #see({ browser, person }: Visitor, page = homeOf(this.#app), isAway = false) {
    let at = new URL(page);
    let answer = await browser.go(page);
    for (let hops = 0; hops < 8 && answer.headers.has('location'); hops += 1) {
      at = new URL(answer.headers.get('location') ?? '', at);
      if (at.origin === this.#gatehouse.issuer) {
        if (isAway || at.searchParams.get('prompt') !== 'none') break;
        at = new URL((await openAt(person, at)).at);
      }
      answer = await browser.go(at);
    }
    return { status: answer.status, html: await answer.text() };
  }

  async #expectSignedIn(visitor: Visitor, when: string): Promise<void> {
    const { html } = await this.#see(visitor);
    const { username, email } = visitor.user;
    expect(textOf(html), when).toMatch(new RegExp(`Signed in as (${username}|${email})`));
  }

  async #expectNobody(visitor: Visitor, when: string): Promise<void> {
    const { status, html } = await this.#see(visitor);
    expect(textOf(html), when).not.toContain('Signed in as');
    // As a text, as the value of a button, or by going to this server at once.
    if (status !== 302) expect(html, when).toMatch(/Sign in|Try again/);
  }
}
