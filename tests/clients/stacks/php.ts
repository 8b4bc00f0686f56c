import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { forChange } from '../../lanes.ts';
import { haveDebianPackages } from '../../support/debian-packages.ts';
import { freePort } from '../../support/free-port.ts';
import { missing } from '../../support/missing.ts';
import { followRecipe, listening, start } from '../recipe-app.ts';
import type { Stack } from './stack.ts';

const packages = ['php-cli', 'php-curl', 'php-mbstring', 'composer'];
const hasPhp = !forChange && (await haveDebianPackages(...packages));
const cache = resolve(import.meta.dirname, '../../../node_modules/.cache/php');
const vendor = resolve(cache, 'vendor');
if (hasPhp && !existsSync(vendor)) await install();

/** Installs what the recipe installs, only once. */
async function install(): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const env = { ...process.env, COMPOSER_ALLOW_SUPERUSER: '1', COMPOSER_NO_INTERACTION: '1' };
  const args = ['require', '--quiet', 'jumbojett/openid-connect-php'];
  const refusal = await promisify(execFile)('composer', args, { cwd: cache, env }).catch(String);
  if (typeof refusal === 'string') missing('PHP', `composer ${args.join(' ')}`, refusal);
}

async function startPhp(issuer: string) {
  const port = await freePort();
  const address = `http://localhost:${port}`;
  const { folder, text, clientId } = await followRecipe(issuer, 'php', { address });
  expect(text('In your project')).toContain('composer require jumbojett/openid-connect-php');
  symlinkSync(vendor, resolve(folder, 'vendor'));
  await listening(port, start(folder, 'php', ['-S', `localhost:${port}`]));
  return { address, clientId };
}

export const phpApp: Stack = { start: existsSync(vendor) ? startPhp : null, asks: '/me.php' };
