import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { openServer } from '../support/open-server.ts';
import { folderFromNpm } from './npm-packages.ts';
import { followRecipe, listening, start, write } from './recipe-app.ts';
import { AppBrowser, allowAt, denyAt, locationOf, newPerson } from './visit.ts';

// Node-RED with the text of its recipe in its settings. The strategy is this project's own copy.
const server = await openServer();
const nodeRed = await folderFromNpm('node-red', '5.0.7');

test.skipIf(!nodeRed)(
  'the recipe for Node-RED: its editor opens after a denial, and to its own answer alone',
  { timeout: 120_000 },
  async () => {
    const port = await freePort();
    const address = `http://localhost:${port}`;
    const { text, folder } = await followRecipe(server.issuer, 'node-red', { address });
    const settings = `module.exports = { uiHost: 'localhost', ${text('In settings.js')} };`;
    write(folder, 'settings.js', settings);
    write(folder, 'package.json', '{}');
    const args = ['--settings', 'settings.js', '--userDir', folder, '--port', String(port)];
    const command = resolve(nodeRed ?? '', 'red.js');
    await listening(port, start(folder, process.execPath, [command, ...args]));

    const { user, person } = await newPerson(server);
    const link = `${address}/auth/strategy`;
    const browser = new AppBrowser();
    /** What the editor is given: a code for a token of Node-RED, or why there is none. */
    const comeBack = async (answer: URL) => {
      const to = new URL(locationOf(await browser.go(answer)), address);
      return Object.fromEntries(to.searchParams);
    };
    const denied = await denyAt(person, locationOf(await browser.go(link)));
    expect(await comeBack(denied)).toHaveProperty('session_message');
    const forged = await allowAt(person, locationOf(await new AppBrowser().go(link)));
    expect(await comeBack(forged)).not.toHaveProperty('code');

    const own = await allowAt(person, locationOf(await browser.go(link)));
    const { code } = await comeBack(own);
    // It does not escape the plus signs in it.
    const body = JSON.stringify({ code: code?.replaceAll(' ', '+') });
    const sent = { method: 'POST', body };
    const json = { 'content-type': 'application/json' };
    const token = await (await fetch(`${address}/auth/token`, { ...sent, headers: json })).json();
    expect(token.expires_in).toBe(43_200);
    const headers = { authorization: `Bearer ${token.accessToken}` };
    const told = await (await fetch(`${address}/settings`, { headers })).json();
    expect(told.user).toMatchObject({ username: user.username, permissions: '*' });
  },
);
