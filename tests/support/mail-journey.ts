import { randomInt } from 'node:crypto';
import { test as base, type Page } from '@playwright/test';
import { createDatabase, newLogFile } from './database.ts';
import { MailServer } from './mail-server.ts';
import { type Server, sharedEnv, startServer } from './server.ts';

export { expect } from '@playwright/test';

type Fixtures = { house: Server & { smtp: MailServer } };

/** A test with a server of ours that sends mail, and the mail server it sends to; everybody may register. */
export const test = base.extend<object, Fixtures>({
  house: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here
    async ({}, use) => {
      const smtp = await MailServer.start();
      const databaseUrl = await createDatabase('sqlite');
      const env = {
        MAIL_URL: smtp.url,
        MAIL_FROM: 'Gatehouse <door@example.org>',
        REGISTRATION: 'open',
      };
      const server = await startServer({
        mount: 'direct',
        databaseUrl,
        logFile: newLogFile('mail-journeys'),
        env,
      });
      Object.assign(process.env, sharedEnv, {
        DATABASE_URL: databaseUrl,
        ISSUER: server.origin,
        LOG_LEVEL: 'silent',
      });
      await use({ ...server, smtp });
      await server.stop();
      await smtp.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: ({ house }, use) => use(house.origin),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  extraHTTPHeaders: ({}, use) =>
    use({ 'X-Forwarded-For': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}` }),
});

/** Lets the browser arrive at an app that is nowhere, and gives what the app is sent. */
export async function answerAt(page: Page, redirectUri: string): Promise<Record<string, string>> {
  await page.waitForURL((url) => url.href.startsWith(redirectUri));
  return Object.fromEntries(new URL(page.url()).searchParams);
}
