import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { sealedProviderSecret } from '#lib/identity/upstream/secret.ts';
import { write } from '#lib/store/engine/database.ts';
import { createDatabase, newLogFile } from './database.ts';
import { freePort } from './free-port.ts';
import { test as base, decide, signInAt } from './journey.ts';
import { newProvider } from './providers.ts';
import { newClient, newUser, type TestUser } from './seed.ts';
import { startServer } from './server.ts';
import { sharedEnv } from './shared-env.ts';
import { endWork, workOn } from './work-on.ts';

export { expect } from './journey.ts';

/**
 * Another Gatehouse, which people sign in with. It is at 127.0.0.1 and the server at localhost, so
 * that the two share no cookies.
 */
type Upstream = {
  origin: string;
  /** Does some work in its database. */
  there: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** A user with an account there and a verified address. */
  newPerson: () => Promise<TestUser>;
};

/** A provider, with what is needed to press its button. */
type Way = { id: string; slug: string; name: string };

/**
 * A journey whose server has a second Gatehouse as a provider, `way`, through which people may
 * register.
 */
export const test = base.extend<{ way: Way }, { upstream: Upstream }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here
    async ({}, use) => {
      const databaseUrl = await createDatabase('sqlite');
      const logFile = newLogFile('provider-journeys');
      const env = { PROVIDERS_AT_PRIVATE_ADDRESSES: 'on' };
      const server = await startServer({ mount: 'direct', databaseUrl, logFile, env });
      const own = { ...sharedEnv, DATABASE_URL: databaseUrl, ISSUER: server.origin };
      Object.assign(process.env, own, { LOG_LEVEL: 'silent' });
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
  upstream: [
    async ({ server: gatehouse }, use) => {
      const own = process.env.DATABASE_URL ?? '';
      const databaseUrl = await createDatabase('sqlite');
      const port = await freePort();
      const origin = `http://127.0.0.1:${port}`;
      const env = { PORT: String(port), ISSUER: origin };
      const logFile = newLogFile('upstream');
      const server = await startServer({ mount: 'direct', databaseUrl, logFile, env });
      const there = async <Result>(work: () => Promise<Result>): Promise<Result> => {
        await endWork();
        workOn(databaseUrl);
        try {
          return await work();
        } finally {
          await endWork();
          workOn(own);
        }
      };
      const newPerson = () => there(newVerified);
      await use({ origin, there, newPerson });
      await server.stop();
      if (!gatehouse.origin) throw new Error('The server at localhost is older than this one.');
    },
    { scope: 'worker' },
  ],
  way: async ({ server, upstream }, use) => {
    // A server without users shows how to create the first one.
    await newUser();
    const slug = `provider-${randomBytes(4).toString('hex')}`;
    const client = await upstream.there(() =>
      newClient({
        name: 'Pottery Club',
        redirectUris: [`${server.origin}/login/with/${slug}/callback`],
      }),
    );
    const name = `Guild ${randomBytes(3).toString('hex')}`;
    const id = await newProvider({
      slug,
      name,
      issuer: upstream.origin,
      clientId: client.id,
      sealedSecret: await sealedProviderSecret.seal(client.secret),
      mayRegister: true,
    });
    await use({ id, slug, name });
    await write('DELETE FROM providers WHERE id = :id', { id });
  },
});

async function newVerified(): Promise<TestUser> {
  const user = await newUser({ name: 'Ada Lovelace' });
  await write('UPDATE users SET email_verified = :yes WHERE id = :id', { id: user.id, yes: true });
  return user;
}

/** Signs in on the provider's own pages, and allows what it asks. */
export async function passThrough(page: Page, upstream: Upstream, person: TestUser): Promise<void> {
  await page.waitForURL((url) => url.origin === upstream.origin);
  await signInAt(page, person.username);
  await decide(page, 'Allow');
}
