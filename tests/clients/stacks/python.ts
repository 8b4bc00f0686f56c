import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { freePort } from '../../support/free-port.ts';
import { pythonWith } from '../python.ts';
import { followRecipe, listening, start, write } from '../recipe-app.ts';
import type { WebApp } from '../web-app.ts';
import type { Stack } from './stack.ts';

/** The programs of a Python with what the recipes install; null if it cannot be had. */
export const programs = await pythonWith([
  'Authlib==1.9.9',
  'Flask==3.1.3',
  'fastapi==0.165.0',
  'httpx==0.28.1',
  'itsdangerous==2.2.0',
  'uvicorn==0.54.0',
  'requests==2.34.2',
  'Django==5.2.19',
  'mozilla-django-oidc==5.0.2',
  'django-allauth[socialaccount]==65.21.1',
]);
const env = { PATH: `${programs}:${process.env.PATH}` };

/** Runs the recipe of an app that is one file, as its text says. */
async function startApp(issuer: string, id: string): Promise<WebApp> {
  const port = await freePort();
  const address = `http://localhost:${port}`;
  const { folder, text, clientId } = await followRecipe(issuer, id, { address });
  await listening(port, start(folder, 'sh', ['-ec', text('In your environment')], env));
  return { address, clientId };
}

const oneFile = (id: string): Stack => ({
  start: programs ? (issuer) => startApp(issuer, id) : null,
  asks: '/me',
});

export const flask = oneFile('flask');
export const fastapi = oneFile('fastapi');

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

type Site = WebApp & { folder: string; makeDue: () => void };

/** Adds what a recipe says to a new Django project, and serves it. */
export async function startDjango(issuer: string, id: string): Promise<Site> {
  const port = await freePort();
  const address = `http://localhost:${port}`;
  const { folder, text, clientId } = await followRecipe(issuer, id, { address });
  const project = ['-m', 'django', 'startproject', 'site_of_mine', '.'];
  execFileSync(`${programs}/python`, project, { cwd: folder });
  for (const [file, own] of Object.entries(homePage))
    appendFileSync(`${folder}/site_of_mine/${file}`, text(`${file}, at the end`) + own);
  write(folder, 'templates/home.html', text('In a template'));
  manage(folder, 'migrate', '--verbosity', '0');
  const args = ['manage.py', 'runserver', '--noreload', `localhost:${port}`];
  await listening(port, start(folder, `${programs}/python`, args, env));
  return { folder, clientId, address, makeDue: () => letSessionsExpire(folder) };
}

const inShell = (folder: string, program: string) =>
  manage(folder, 'shell', '--verbosity', '0', '--command', program).trim();

/** The email addresses of the users that a Django project knows. */
export const peopleOf = (folder: string) =>
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

const django = (id: string): Stack => ({
  start: programs ? (issuer) => startDjango(issuer, id) : null,
});

export const djangoMozilla = django('django-mozilla');
export const djangoAllauth: Stack = {
  ...django('django-allauth'),
  denied: 'Login Cancelled',
  isAskedAtSignOut: true,
};
