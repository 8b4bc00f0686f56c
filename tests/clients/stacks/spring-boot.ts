import { expect } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { followRecipe } from '../recipe-app.ts';
import { startSpring, withSpring } from '../spring.ts';
import type { Stack } from './stack.ts';

const starter = 'spring-boot-starter-security-oauth2-client';

async function startIt(issuer: string) {
  const port = await freePort();
  const followed = await followRecipe(issuer, 'spring-boot', {
    address: `http://localhost:${port}`,
  });
  const { folder, clientId, text } = followed;
  expect(text('build.gradle')).toContain(`:${starter}'`);
  const sources = { 'SignIn.java': text('SignIn.java') };
  const address = await startSpring(folder, starter, sources, {}, port);
  return { address, clientId };
}

export const springBoot: Stack = { start: withSpring ? startIt : null, asks: '/me' };
