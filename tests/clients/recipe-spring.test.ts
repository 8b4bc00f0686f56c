import { expect, test } from 'vitest';
import { openHouse } from '../support/house.ts';
import { freePort } from '../support/server.ts';
import { followRecipe } from './recipe-app.ts';
import { startSpring, withSpring } from './spring.ts';
import { tryWholeLife } from './web-app.ts';

const house = await openHouse();
const starter = 'spring-boot-starter-security-oauth2-client';

test.skipIf(!withSpring)(
  'the recipe for Spring Boot signs in, handles access_denied, refreshes and signs out',
  { timeout: 480_000 },
  async () => {
    const port = await freePort();
    const followed = await followRecipe(house.issuer, 'spring-boot', {
      address: `http://localhost:${port}`,
    });
    const { folder, clientId, text } = followed;
    expect(text('build.gradle')).toContain(`:${starter}'`);
    const sources = { 'SignIn.java': text('SignIn.java') };
    const address = await startSpring(folder, starter, sources, {}, port);
    await tryWholeLife(house, { address, clientId });
  },
);
