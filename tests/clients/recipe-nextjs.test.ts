import { mkdirSync, symlinkSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { openHouse } from '../support/house.ts';
import { freePort } from '../support/server.ts';
import { folderFromNpm } from './npm-packages.ts';
import { followRecipe, listening, start, write } from './recipe-app.ts';
import { AppBrowser, allowAt, denyAt, locationOf, newPerson } from './visit.ts';
import { expectSignedOut, type WebApp } from './web-app.ts';

// The recipe's text in a Next.js app, as `next dev` serves it.
const house = await openHouse();
const nextAuth = await folderFromNpm('next-auth', '5.0.0-beta.32');

async function startNext(): Promise<WebApp> {
  const port = await freePort();
  const address = `http://localhost:${port}`;
  const { folder, clientId, text } = await followRecipe(house.issuer, 'nextjs', { address });
  expect(text('In your project')).toContain('next-auth@5.0.0-beta.32');
  write(folder, 'package.json', '{}');
  // Without its own configuration it would use that of a parent folder, which is this server's.
  write(folder, 'next.config.mjs', 'export default {};');
  write(
    folder,
    'app/layout.js',
    'export default ({ children }) => <html lang="en"><body>{children}</body></html>;',
  );
  mkdirSync(resolve(folder, 'node_modules'));
  symlinkSync(nextAuth ?? '', resolve(folder, 'node_modules/next-auth'));
  const next = resolve(import.meta.dirname, '../../node_modules/next/dist/bin/next');
  const env = { NODE_ENV: 'development', NEXT_TELEMETRY_DISABLED: '1' };
  const app = start(folder, process.execPath, [next, 'dev', '--port', String(port)], env);
  await listening(port, app);
  return { address, clientId };
}

/** Presses the page's button, as a browser without scripts does with a server action. */
async function press(browser: AppBrowser, page: string, html: string): Promise<Response> {
  const [, form = ''] = /<form(.*?)<\/form>/s.exec(html) ?? [];
  const fields = new FormData();
  for (const [tag] of form.matchAll(/<input[^>]*>/g)) {
    const [name = '', value = ''] = ['name', 'value'].map(
      (attribute) => new RegExp(` ${attribute}="([^"]*)"`).exec(tag)?.[1] ?? '',
    );
    fields.set(name, value);
  }
  return browser.go(page, fields);
}

test.skipIf(!nextAuth)(
  'the recipe for Next.js with Auth.js signs in, handles access_denied and signs out, in a real app',
  { timeout: 300_000 },
  async () => {
    const app = await startNext();
    const page = `${app.address}/sign-in`;
    const [{ user, person }, browser] = [await newPerson(house), new AppBrowser()];
    const read = async () => (await browser.go(page)).text();

    const leaving = await press(browser, page, await read());
    const back = await browser.go(await denyAt(person, locationOf(leaving)));
    const denied = await browser.follow(back, app.address);
    const offer = await denied.text();
    expect(offer).toContain('You said no. Try again?');

    const again = await press(browser, page, offer);
    const signedIn = await browser.go(await allowAt(person, locationOf(again)));
    expect(locationOf(signedIn)).toBe(page);
    expect(await read()).toContain(user.email);

    const out = await browser.go(`${app.address}/sign-out`, {});
    await expectSignedOut(app, { user, person, browser }, out);
    expect(await read()).not.toContain(user.email);
  },
);
