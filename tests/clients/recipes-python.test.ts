import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { updateUser } from '#lib/management/user-profile.ts';
import { actor } from '../management/people.ts';
import { openHouse } from '../support/house.ts';
import { freePort } from '../support/server.ts';
import { pythonWith } from './python.ts';
import { type Connected, followRecipe, listening, start } from './recipe-app.ts';
import { AppBrowser, allowAt, locationOf, newPerson } from './visit.ts';
import { tryWholeLife } from './web-app.ts';

// The texts of the recipes themselves, as they are pasted, run beside this server.
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

/** What a recipe adds to a new Django project, which is then served. */
async function startDjango(id: string): Promise<Connected & { address: string }> {
  const port = await freePort();
  const address = `http://localhost:${port}`;
  const connected = await followRecipe(house.issuer, id, { address });
  const { folder, text } = connected;
  const python = (...args: string[]) =>
    execFileSync(`${programs}/python`, args, { cwd: folder, encoding: 'utf8' });
  python('-m', 'django', 'startproject', 'site_of_mine', '.');
  for (const file of ['settings.py', 'urls.py'])
    appendFileSync(`${folder}/site_of_mine/${file}`, text(`${file}, at the end`));
  python('manage.py', 'migrate', '--verbosity', '0');
  const args = ['manage.py', 'runserver', '--noreload', `localhost:${port}`];
  await listening(port, start(folder, `${programs}/python`, args, env));
  return { ...connected, address };
}

/** The people that a Django project knows, by email address. */
function peopleOf(folder: string): string[] {
  const program =
    'from django.contrib.auth.models import User; print(*User.objects.values_list("email", flat=True))';
  const args = ['manage.py', 'shell', '--verbosity', '0', '--command', program];
  return execFileSync(`${programs}/python`, args, { cwd: folder, encoding: 'utf8' })
    .trim()
    .split(' ');
}

describe.skipIf(programs === null)('recipes in Python', () => {
  test('the recipe for Flask with Authlib signs in, takes a no, renews its tokens and signs out', async () => {
    const port = await freePort();
    const address = `http://localhost:${port}`;
    const { folder, text, clientId } = await followRecipe(house.issuer, 'flask', { address });
    const shell = ['-ec', text('In your environment')];
    await listening(port, start(folder, 'sh', shell, env));
    await tryWholeLife(house, { address, clientId });
  });

  test('the recipe for Django with mozilla-django-oidc signs in', async () => {
    const { user, person } = await newPerson(house);
    const { address, folder } = await startDjango('django-mozilla');
    const signedIn = await new AppBrowser().signIn(person, `${address}/oidc/authenticate/`);
    expect(locationOf(signedIn)).toBe('/');
    expect(peopleOf(folder)).toEqual([user.email]);
  });

  test('the recipe for Django with allauth signs in', async () => {
    const { user, person } = await newPerson(house);
    // It sends a letter to everybody else.
    await updateUser(user.id, { emailVerified: true }, actor, new Date());
    const { address, folder } = await startDjango('django-allauth');
    const browser = new AppBrowser();
    const login = `${address}/accounts/oidc/gatehouse/login/`;
    const [, token = ''] =
      /name="csrfmiddlewaretoken" value="([^"]+)"/.exec(await (await browser.go(login)).text()) ??
      [];
    const started = await browser.go(login, { csrfmiddlewaretoken: token });
    const finished = await browser.go(await allowAt(person, locationOf(started)));
    expect(locationOf(finished)).toBe('/');
    expect(peopleOf(folder)).toEqual([user.email]);
  });
});
