import { mkdirSync, symlinkSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { folderFromNpm } from '../npm-packages.ts';
import { followRecipe, listening, start, write } from '../recipe-app.ts';
import type { Stack } from './stack.ts';

const nextAuth = await folderFromNpm('next-auth', '5.0.0-beta.32');

/** The recipe's text in a Next.js app, as `next dev` serves it. */
async function startNext(issuer: string) {
  const port = await freePort();
  const address = `http://localhost:${port}`;
  const { folder, clientId, text } = await followRecipe(issuer, 'nextjs', { address });
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
  const next = resolve(import.meta.dirname, '../../../node_modules/next/dist/bin/next');
  const env = { NODE_ENV: 'development', NEXT_TELEMETRY_DISABLED: '1' };
  const app = start(folder, process.execPath, [next, 'dev', '--port', String(port)], env);
  await listening(port, app);
  return { address, clientId, start: '/sign-in' };
}

export const nextjs: Stack = { start: nextAuth ? startNext : null };
