import { afterAll, beforeAll, expect } from 'vitest';
import { newLogFile } from './database.ts';
import type { House } from './house.ts';
import { MailServer } from './mail-server.ts';
import { failuresIn } from './serve-setup.ts';
import { freePort, type Server, startServer } from './server.ts';

/** A server of ours with a mail server beside it, on the database that the test process has been given. */
export type MailHouse = House & {
  smtp: MailServer;
  /** Path and query of a link in a mail; it begins with the issuer. */
  pathOf: (link: string) => string;
  /** Ends the server as a crash does, and starts it again. */
  restart: () => Promise<void>;
};

/** For the tests of one `describe`: started before, stopped after, and nothing failed inside. */
export function openMailHouse(env: Record<string, string> = {}): MailHouse {
  const house = { mount: 'direct' } as MailHouse;
  const logFile = newLogFile('mail');
  let server: Server;
  const start = async () => {
    const databaseUrl = process.env.DATABASE_URL ?? '';
    const given = {
      SERVER_SECRET: process.env.SERVER_SECRET ?? '',
      MAIL_URL: house.smtp.url,
      // One that it can have again after a restart: the system gives it to nobody.
      PORT: String(house.port ?? (await freePort())),
    };
    server = await startServer({
      mount: 'direct',
      databaseUrl,
      logFile,
      env: { ...given, ...env },
    });
    const { port, origin } = server;
    Object.assign(house, { port, issuer: origin, base: `http://127.0.0.1:${port}`, databaseUrl });
  };
  house.pathOf = (link) => {
    expect(link.startsWith(`${house.issuer}/`)).toBe(true);
    return link.slice(house.issuer.length);
  };
  house.restart = async () => {
    server.process.kill('SIGKILL');
    await server.stop();
    await start();
  };
  beforeAll(async () => {
    house.smtp = await MailServer.start();
    await start();
  });
  afterAll(async () => {
    await server.stop();
    await house.smtp.stop();
    const failures = failuresIn(logFile).filter((line) => !line.includes('a mail is given up'));
    if (failures.length > 0) throw new Error(`The server failed inside:\n${failures.join('\n')}`);
  });
  return house;
}
