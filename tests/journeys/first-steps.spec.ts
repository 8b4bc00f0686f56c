import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import { createDatabase, newLogFile } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { startServer } from '../support/server.ts';
import { StopWatch } from '../support/stop-watch.ts';

/** The time a person needs from the first command to the first sign-in at their own app. */
const mostSeconds = 180;

test('first steps: from nothing to a sign-in at an own app in less than three minutes of the user’s time', async ({
  page,
}) => {
  const databaseUrl = await createDatabase('sqlite');
  const logFile = newLogFile('first-steps');
  const server = await startServer({ mount: 'direct', databaseUrl, logFile });
  // In this folder the app finds the packages that this project has installed.
  const parent = resolve(import.meta.dirname, '../../test-results');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(`${parent}/first-steps-`);
  let app: ChildProcess | null = null;
  try {
    const watch = new StopWatch(page);
    watch.command('git clone …');
    watch.command('cd gatehouse && npm start');
    const link = () => /http:\S+\/setup\?token=\S+/.exec(readFileSync(logFile, 'utf8'))?.[0] ?? '';
    await expect.poll(link).toBeTruthy();
    await watch.open(link(), 'the link in the terminal');
    const [field, button] = [page.getByLabel.bind(page), page.getByRole.bind(page, 'button')];
    await watch.type(field('Username'), 'ada', 'the username');
    await watch.type(field('Email address'), 'ada@example.org', 'the email address');
    await watch.type(field('Your name'), 'Ada Lovelace', 'the name');
    await watch.type(field('Password', { exact: true }), 'four unrelated words here', 'a password');
    await watch.follow(button({ name: 'Create account' }), 'Create account');
    const skip = page.getByRole('link', { name: 'Skip for now' });
    await watch.follow(skip, 'Skip the passkey');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('This server');
    await watch.follow(skip, 'Skip name and mail');
    await watch.type(page.getByRole('searchbox'), 'express', 'what they use');
    await watch.follow(page.getByRole('link', { name: /^Express/ }), 'Express');
    const address = `http://localhost:${await freePort()}`;
    await watch.type(page.getByLabel(/^Where does .* run\?/), address, 'where the app runs');
    await watch.type(page.getByLabel('Name', { exact: true }), 'Shop', 'the name of the app');
    await watch.follow(button({ name: 'Add app' }), 'Add app');
    const text = page.locator('pre', { hasText: 'import passport' });
    writeFileSync(`${folder}/server.mjs`, await watch.copy(text, 'server.mjs'));
    const ready = page.url();
    watch.command('npm install express@5 express-session passport openid-client@6');
    watch.command('node server.mjs');
    app = spawn(process.execPath, ['server.mjs'], { cwd: folder, stdio: 'inherit' });

    await expect(async () => void (await fetch(address))).toPass();
    await watch.open(address, 'their app');
    await watch.follow(page.getByRole('link', { name: 'Sign in' }), 'Sign in');
    await watch.follow(button({ name: 'Allow' }), 'Allow');
    await expect(page.locator('body')).toContainText('Signed in as ada');
    expect(ready).toContain(server.origin);

    console.info(watch.acts.join('\n'));
    expect(watch.seconds).toBeLessThan(mostSeconds);
  } finally {
    app?.kill('SIGKILL');
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
