import { afterAll } from 'vitest';
import { createDatabase, newLogFile } from './database.ts';
import { freePort } from './free-port.ts';
import type { TestServer } from './open-server.ts';
import { failuresIn } from './serve-setup.ts';
import { startServer } from './server.ts';
import { endWork, workOn } from './work-on.ts';

/** Another Gatehouse beside the one of a test file, with its own database. */
type OtherServer = TestServer & {
  /** Does some work in its database. */
  inside: <Result>(work: () => Promise<Result>) => Promise<Result>;
};

/** Starts it; it runs until the file ends. @param issuerAt its issuer, given its port */
export async function openOtherServer(
  gatehouse: TestServer,
  issuerAt = (port: number) => `http://127.0.0.1:${port}`,
  env: Record<string, string> = {},
): Promise<OtherServer> {
  const databaseUrl = await createDatabase('sqlite');
  const port = await freePort();
  const [issuer, logFile] = [issuerAt(port), newLogFile('other-server')];
  const server = await startServer({
    mount: 'direct',
    databaseUrl,
    logFile,
    env: { ...env, PORT: String(port), ISSUER: issuer },
  });
  afterAll(async () => {
    await server.stop();
    const failures = failuresIn(logFile);
    if (failures.length > 0) throw new Error(`The other server failed:\n${failures.join('\n')}`);
  });
  const base = `http://127.0.0.1:${port}`;
  const at = { ...gatehouse, databaseUrl, base, issuer, port, logFile };
  return { ...at, inside: insideOf(at, gatehouse) };
}

const insideOf =
  ({ databaseUrl, issuer }: TestServer, server: TestServer): OtherServer['inside'] =>
  async (work) => {
    const before = process.env.ISSUER ?? '';
    await endWork();
    workOn(databaseUrl);
    process.env.ISSUER = issuer;
    try {
      return await work();
    } finally {
      await endWork();
      workOn(server.databaseUrl);
      process.env.ISSUER = before;
    }
  };
