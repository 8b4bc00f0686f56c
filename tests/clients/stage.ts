import type { Page } from '@playwright/test';
import { createDatabase, newLogFile } from '../support/database.ts';
import { password, type TestUser } from '../support/seed.ts';
import { type Server, startServer } from '../support/server.ts';
import { workOn } from '../support/work-on.ts';
import { forwardTo, type Https, listenHttps } from './https.ts';

/** This server and an app that runs in the browser, each at its own origin. */
export type Stage = { front: Https; site: Https; server: Server; stop: () => Promise<void> };

/**
 * Starts this server, and a site that serves a library at `/library.js` and a page everywhere else.
 * The site passes `/oauth/…` on to this server, as the proxy of an app can.
 */
export async function startStage(
  name: string,
  library: Buffer | string,
  pageAt: (path: string) => string,
): Promise<Stage> {
  const front = await listenHttps();
  const site = await listenHttps();
  const env = { ISSUER: front.origin };
  const databaseUrl = await createDatabase('sqlite');
  const server = await startServer({
    mount: 'direct',
    databaseUrl,
    logFile: newLogFile(name),
    env,
  });
  workOn(databaseUrl);
  Object.assign(process.env, env);
  const forward = forwardTo(server.port);
  front.server.on('request', forward);
  site.server.on('request', (request, response) => {
    const path = request.url ?? '/';
    if (path.startsWith('/oauth/')) return forward(request, response);
    const isLibrary = path === '/library.js';
    response.setHeader('Content-Type', isLibrary ? 'text/javascript' : 'text/html; charset=utf-8');
    response.end(isLibrary ? library : pageAt(path));
  });
  const stop = async () => {
    await server.stop();
    await Promise.all([front.stop(), site.stop()]);
  };
  return { front, site, server, stop };
}

/** A page of the app with this script in its head. */
export const pageWith = (script: string): string =>
  `<!doctype html><html lang="en"><title>The app</title><link rel="icon" href="data:,">
${script}<h1>The app</h1>`;

/** Signs a user in on the page of this server, and presses a button of the next page. */
export async function signInAt(tab: Page, { username }: TestUser, press: 'Allow' | 'Deny') {
  await tab.getByLabel('Username or email').fill(username);
  await tab.getByLabel('Password', { exact: true }).fill(password);
  await tab.getByRole('button', { name: 'Sign in', exact: true }).click();
  await tab.getByRole('button', { name: press, exact: true }).click();
}
