import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { updateUser } from '#lib/management/user/user-profile.ts';
import { actor, unique } from '../management/people.ts';
import { openHouse } from '../support/house.ts';
import { freePort } from '../support/server.ts';
import { pythonWith } from './python.ts';
import { followRecipe, listening, start, write } from './recipe-app.ts';
import { AppBrowser, allowAt, denyAt, locationOf, newPerson, openAt } from './visit.ts';
import {
  openPage,
  press,
  signInAfterDenying,
  signOut,
  tryWholeLife,
  type WebApp,
} from './web-app.ts';

// The texts of the recipes, exactly as people paste them, run beside this server.
const house = await openHouse();
const programs = await pythonWith([
  'Authlib==1.9.9',
  'Flask==3.1.3',
  'requests==2.34.2',
  'Django==5.2.19',
  'mozilla-django-oidc==5.0.2',
  'django-allauth[socialaccount]==65.21.1',
]);
const env = { PATH: `${programs}:${process.env.PATH}` };

/** Runs a Django project's `manage.py` and returns its output. */
const manage = (folder: string, ...args: string[]) =>
  execFileSync(`${programs}/python`, ['manage.py', ...args], { cwd: folder, encoding: 'utf8' });

/** A home page made of the recipe's template. */
const homePage = {
  'settings.py': 'TEMPLATES[0]["DIRS"] = [BASE_DIR / "templates"]\n',
  'urls.py': `from django.views.generic import TemplateView
urlpatterns += [path("", TemplateView.as_view(template_name="home.html"))]
`,
};

/** Adds what a recipe says to a new Django project, and serves it. */
async function startDjango(id: string): Promise<WebApp & { folder: string }> {
  const port = await freePort();
  const address = `http://localhost:${port}`;
  const { folder, text, clientId } = await followRecipe(house.issuer, id, { address });
  const project = ['-m', 'django', 'startproject', 'site_of_mine', '.'];
  execFileSync(`${programs}/python`, project, { cwd: folder });
  for (const [file, own] of Object.entries(homePage))
    appendFileSync(`${folder}/site_of_mine/${file}`, text(`${file}, at the end`) + own);
  write(folder, 'templates/home.html', text('In a template'));
  manage(folder, 'migrate', '--verbosity', '0');
  const args = ['manage.py', 'runserver', '--noreload', `localhost:${port}`];
  await listening(port, start(folder, `${programs}/python`, args, env));
  return { folder, clientId, address };
}

const inShell = (folder: string, program: string) =>
  manage(folder, 'shell', '--verbosity', '0', '--command', program).trim();

/** The email addresses of the users that a Django project knows. */
const peopleOf = (folder: string) =>
  inShell(
    folder,
    'from django.contrib.auth.models import User; print(*User.objects.values_list("email", flat=True))',
  ).split(' ');

/** Makes all sessions due to ask again. */
const letSessionsExpire = (folder: string) =>
  inShell(
    folder,
    `
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
for each in Session.objects.all():
    session = SessionStore(each.session_key)
    session["oidc_id_token_expiration"] = 0
    session.save()
`,
  );

describe.skipIf(programs === null)('recipes in Python', () => {
  test('the recipe for Flask with Authlib signs in, handles access_denied, refreshes and signs out', async () => {
    const port = await freePort();
    const address = `http://localhost:${port}`;
    const { folder, text, clientId } = await followRecipe(house.issuer, 'flask', { address });
    const shell = ['-ec', text('In your environment')];
    await listening(port, start(folder, 'sh', shell, env));
    await tryWholeLife(house, { address, clientId });
  });

  test('the recipe for Django with mozilla-django-oidc signs in, handles access_denied and signs out', async () => {
    const app = await startDjango('django-mozilla');
    const visitor = await signInAfterDenying(house, app);
    const { user, browser } = visitor;
    expect((await openPage(browser, app.address)).html).toContain(user.email);
    expect(peopleOf(app.folder)).toEqual([user.email]);
    await signOut(app, visitor);
    expect((await openPage(browser, app.address)).html).toContain('Sign in');
  });

  test('the recipe for Django with mozilla-django-oidc checks the session again with prompt=none', async () => {
    const app = await startDjango('django-mozilla');
    const { user, browser, person } = await signInAfterDenying(house, app);
    const askAgain = async () => {
      letSessionsExpire(app.folder);
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
    const app = await startDjango('django-mozilla');
    const first = await signInAfterDenying(house, app);
    const address = `${unique('moved')}@example.org`;
    await updateUser(first.user.id, { email: address }, actor, new Date());
    const second = await newPerson(house);
    await updateUser(second.user.id, { email: first.user.email }, actor, new Date());
    await new AppBrowser().signIn(second.person, `${app.address}/oidc/authenticate/`);
    await new AppBrowser().signIn(first.person, `${app.address}/oidc/authenticate/`);
    expect(peopleOf(app.folder).sort()).toEqual([address, first.user.email].sort());
  });

  test('the recipe for Django with allauth signs in, handles access_denied and signs out', async () => {
    const { user, person } = await newPerson(house);
    // Users without a verified address would be sent a mail.
    await updateUser(user.id, { emailVerified: true }, actor, new Date());
    const { address, folder } = await startDjango('django-allauth');
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
