import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect } from 'vitest';
import { createDatabase, newLogFile } from './database.ts';
import { freePort } from './free-port.ts';
import { MailServer } from './mail-server.ts';
import { besides, databaseOf, leave, type TestServer } from './open-server.ts';
import { type Server, startServer } from './server.ts';
import { type Pooled, takeFromPool } from './server-pool.ts';
import { workOn } from './work-on.ts';

/**
 * A server with a mail server beside it, on a database of the kind that the test process works on.
 */
export type ServerWithMail = TestServer & {
  smtp: MailServer;
  /** The path and query of a link in a mail. The link has to begin with the issuer. */
  pathOf: (link: string) => string;
  /** Kills the server as a crash would, and starts it again. */
  restart: () => Promise<void>;
};

/** A user name that does not exist yet. */
export const newName = () => `new-${randomBytes(6).toString('hex')}`;

/**
 * The text of a mail in one line, without the characters that keep mail programs from turning names
 * into links.
 */
export const plain = (text: string) => text.replaceAll('\u2060', '').replace(/\s+/g, ' ');

type PooledWithMail = Pooled & { smtp: MailServer; restart: () => Promise<void> };

/**
 * Opens such a server for the tests of one `describe`, closes it afterwards, and expects no internal
 * failures.
 */
export function openServerWithMail(env: Record<string, string> = {}): ServerWithMail {
  const gatehouse = { mount: 'direct' } as ServerWithMail;
  gatehouse.pathOf = (link) => {
    expect(link.startsWith(`${gatehouse.issuer}/`)).toBe(true);
    return link.slice(gatehouse.issuer.length);
  };
  let pooled: PooledWithMail;
  beforeAll(async () => {
    const database = databaseOf(process.env.DATABASE_URL ?? '');
    const kind = JSON.stringify(['mail', database, env]);
    pooled = await takeFromPool(kind, async () => build(await createDatabase(database), env));
    const { databaseUrl, smtp, restart, servers } = pooled;
    workOn(databaseUrl);
    smtp.beginAnew();
    const [server] = servers;
    if (!server) throw new Error('It was started a moment ago.');
    const { port, origin, logFile } = server;
    Object.assign(gatehouse, { smtp, restart, port, logFile, databaseUrl });
    Object.assign(gatehouse, besides('direct', pooled, server, { MAIL_URL: smtp.url, ...env }));
    Object.assign(gatehouse, { issuer: origin, base: `http://127.0.0.1:${port}` });
  });
  afterAll(async () => {
    const failures = await leave(pooled);
    const ours = failures.filter((line) => !line.includes('a mail is given up'));
    if (ours.length > 0) throw new Error(`The server failed inside:\n${ours.join('\n')}`);
  });
  return gatehouse;
}

async function build(databaseUrl: string, env: Record<string, string>): Promise<PooledWithMail> {
  const smtp = await MailServer.start();
  const logFile = newLogFile('mail');
  // A port that the server can have again after a restart, because the system never hands it out.
  const given = { MAIL_URL: smtp.url, PORT: String(await freePort()), ...env };
  const start = () => startServer({ mount: 'direct', databaseUrl, logFile, env: given });
  const servers: Server[] = [await start()];
  const restart = async () => {
    servers[0]?.process.kill('SIGKILL');
    await servers[0]?.stop();
    servers[0] = await start();
  };
  return { databaseUrl, servers, smtp, restart, close: () => smtp.stop() };
}
