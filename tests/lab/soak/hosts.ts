import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { newLogFile } from '../../support/database.ts';
import { freePort } from '../../support/free-port.ts';
import { blockOf, type Nginx, startNginx } from '../../support/nginx.ts';
import { type Server, startServer } from '../../support/server.ts';
import { type Asked, askUntil } from './asking.ts';

/**
 * How long nginx leaves out a server that was not there, in milliseconds. It counts whole seconds.
 */
const leftOut = 2500;

/** The configuration from the documentation, with other addresses and without TLS. */
function documented(ports: readonly [number, number], listen: number): string {
  const text = blockOf('docs/several-servers.md', 'nginx', 'upstream gatehouse');
  return (
    text
      .replace('10.0.0.11:3000', `127.0.0.1:${ports[0]}`)
      .replace('10.0.0.12:3000', `127.0.0.1:${ports[1]}`)
      .replace('listen 443 ssl', `listen 127.0.0.1:${listen}`)
      .replace(/^ *ssl_certificate.*\n/gm, '')
      // The test needs to see the reasons in the error log; none of its requests has a query.
      .replace(/^ *error_log.*\n/m, '')
  );
}

type Hosts = Asked & {
  restarts: number;
  /** Requests that nginx sent to a second server, and why. */
  retried: number;
  reasons: Record<string, number>;
  /** Exit codes of the servers that were stopped. */
  exits: (number | null)[];
};

/** Restarts two servers behind nginx, one after the other, while clients send requests. */
export async function restartHosts(
  databaseUrl: string,
  requests: number,
  restarts: number,
): Promise<Hosts> {
  const ports = [await freePort(), await freePort()] as const;
  const listen = await freePort();
  const start = (port: number) =>
    startServer({
      mount: 'direct',
      databaseUrl,
      logFile: newLogFile('host'),
      env: { PORT: String(port), ISSUER: 'http://localhost:4711', STOP_DELAY: '5' },
    });
  const servers = await Promise.all(ports.map(start));
  const nginx = await startNginx(documented(ports, listen), listen);
  const exits: (number | null)[] = [];
  let done = 0;
  const restart = async () => {
    for (; done < restarts; done += 1) {
      const index = done % 2;
      exits.push(await stop(servers[index] as Server));
      servers[index] = await start(ports[index] ?? 0);
      await pause(leftOut);
    }
  };
  const [asked] = await Promise.all([
    askUntil(listen, 12, ({ answered }) => done >= restarts && answered >= requests),
    restart(),
  ]);
  const told = { restarts: done, exits, ...retriesOf(nginx) };
  await Promise.all([nginx.stop(), ...servers.map((server) => server.stop())]);
  return { ...asked, ...told };
}

async function stop(server: Server): Promise<number | null> {
  const exit = once(server.process, 'exit') as Promise<[number | null]>;
  server.process.kill('SIGTERM');
  return (await exit)[0];
}

function retriesOf(nginx: Nginx): Pick<Hosts, 'retried' | 'reasons'> {
  const lines = nginx.read('gatehouse.log').split('\n');
  const retried = lines.filter((line) => /upstream=[^(]*, /.test(line)).length;
  const reasons: Record<string, number> = {};
  for (const line of nginx
    .errors()
    .split('\n')
    .filter((text) => !text.includes('[warn]'))) {
    const [reason] = /\(\d+: [\w ]+\) while [a-z ]+|upstream [a-z ]+(?=,)/.exec(line) ?? [];
    if (reason) reasons[reason] = (reasons[reason] ?? 0) + 1;
  }
  return { retried, reasons };
}
