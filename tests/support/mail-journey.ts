import { createDatabase, newLogFile } from './database.ts';
import { test as base } from './journey.ts';
import { MailServer } from './mail-server.ts';
import { startServer } from './server.ts';
import { sharedEnv } from './shared-env.ts';

export { answerAt, expect } from './journey.ts';

type Fixtures = { smtp: MailServer };

/** A journey whose server sends mail to its own mail server. Everyone may register. */
export const test = base.extend<object, Fixtures>({
  smtp: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here
    async ({}, use) => {
      const smtp = await MailServer.start();
      await use(smtp);
      await smtp.stop();
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ smtp }, use) => {
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
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
});
