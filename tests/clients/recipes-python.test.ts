import { describe, expect, test } from 'vitest';
import { updateUser } from '#lib/management/user/user-profile.ts';
import { actor, unique } from '../management/people.ts';
import { openServer } from '../support/open-server.ts';
import { peopleOf, programs, startDjango } from './stacks/python.ts';
import { AppBrowser, allowAt, denyAt, locationOf, newPerson, openAt } from './visit.ts';
import { openPage, press, signInAfterDenying } from './web-app.ts';

// The texts of the recipes, exactly as people paste them, run beside this server.
const server = await openServer();

describe.skipIf(programs === null)('recipes in Python', () => {
  test('the recipe for Django with mozilla-django-oidc checks the session again with prompt=none', async () => {
    const app = await startDjango(server.issuer, 'django-mozilla');
    const { user, browser, person } = await signInAfterDenying(server, app);
    const askAgain = async () => {
      app.makeDue();
      const away = locationOf(await browser.go(app.address));
      expect(new URL(away).searchParams.get('prompt')).toBe('none');
      await browser.go((await openAt(person, away)).at);
      return (await openPage(browser, app.address)).html;
    };
    expect(await askAgain()).toContain(user.email);
    await person.signOut();
    expect(await askAgain()).toContain('Sign in');
  });

  test('the recipe for Django with mozilla-django-oidc keys accounts by sub, not by email address', async () => {
    const app = await startDjango(server.issuer, 'django-mozilla');
    const first = await signInAfterDenying(server, app);
    const address = `${unique('moved')}@example.org`;
    await updateUser(first.user.id, { email: address }, actor, new Date());
    const second = await newPerson(server);
    await updateUser(second.user.id, { email: first.user.email }, actor, new Date());
    await new AppBrowser().signIn(second.person, `${app.address}/oidc/authenticate/`);
    await new AppBrowser().signIn(first.person, `${app.address}/oidc/authenticate/`);
    expect(peopleOf(app.folder).sort()).toEqual([address, first.user.email].sort());
  });

  test('the recipe for Django with allauth signs in, handles access_denied and signs out', async () => {
    const { user, person } = await newPerson(server);
    // Users without a verified address would be sent a mail.
    await updateUser(user.id, { emailVerified: true }, actor, new Date());
    const { address, folder } = await startDjango(server.issuer, 'django-allauth');
    const browser = new AppBrowser();
    const home = () => openPage(browser, address);
    const leaving = async () => locationOf(await press(browser, await home(), 'Sign in'));

    const denied = await browser.go(await denyAt(person, await leaving()));
    expect(await (await browser.follow(denied, address)).text()).toContain('Login Cancelled');

    const back = await browser.go(await allowAt(person, await leaving()));
    expect(locationOf(back)).toBe('/');
    expect(peopleOf(folder)).toEqual([user.email]);

    const out = locationOf(await press(browser, await home(), 'Sign out'));
    const asked = await openAt(person, out);
    expect((await person.submit(asked, '/logout/submit')).at).toBe(`${address}/`);
    expect((await home()).html).toContain('Sign in');
  });
});
