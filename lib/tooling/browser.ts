import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, delimiter, resolve } from 'node:path';
import { chromium } from 'playwright';
import { runStep, SetupError } from './child.mjs';

const commands = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome.exe',
  'msedge.exe',
];
const applications = ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);

/** The same browser with no window support at all, which cuts the cost of a page to a third. */
const shell = 'chromium-headless-shell';

/** The machine's own, preferably windowless, else one that can be installed. */
export async function findOrInstallBrowser(): Promise<string> {
  const found = findBrowser();
  if (found && (basename(found) === shell || process.env.TEST_BROWSER)) return found;
  for (const attempt of found ? [installWithApt] : [downloadWithPlaywright, installWithApt]) {
    // Errors only matter if every option fails, and then the advice is the same.
    await attempt().catch(() => {});
    const installed = findBrowser();
    if (installed) return installed;
  }
  throw new SetupError(
    'The browser tests need Chromium, and neither a download nor apt-get provided it: install Chromium or Chrome and run npm test again.',
  );
}

function findBrowser(): string | undefined {
  const onPath = [shell, ...commands].flatMap((name) =>
    (process.env.PATH ?? '').split(delimiter).map((folder) => resolve(folder, name)),
  );
  return [
    process.env.TEST_BROWSER ?? '',
    ...onPath,
    ...applications,
    chromium.executablePath(),
  ].find((file) => file && existsSync(file));
}

function downloadWithPlaywright(): Promise<void> {
  const args = ['node_modules/playwright/cli.js', 'install', 'chromium'];
  return runStep({ title: 'Downloading Chromium', advice: '', command: process.execPath, args });
}

async function installWithApt(): Promise<void> {
  if (process.getuid?.() !== 0) return;
  execFileSync('apt-get', ['--version'], { stdio: 'ignore' });
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await runStep({
    title: 'Reading the list of Debian packages',
    advice: '',
    command: 'apt-get',
    args: ['update'],
    env,
  });
  const args = ['install', '-y', '--no-install-recommends', shell];
  await runStep({
    title: `Installing the Debian package ${shell}`,
    advice: '',
    command: 'apt-get',
    args,
    env,
  });
}
