import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { LogOutput } from '#lib/telemetry/log-output.ts';
import { ask } from '../lab/soak/traffic.ts';
import { createDatabase, newLogFile } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { serverEnvironment, startServer } from '../support/server.ts';

const folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-log-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Resolves when it is so; checks again every few milliseconds. */
async function until(so: () => boolean): Promise<void> {
  while (!so()) await new Promise((resume) => setTimeout(resume, 5));
}

describe.runIf(process.platform === 'linux')('a log that cannot be written', () => {
  test('lines of the log that a full disk cannot take are dropped and counted', async () => {
    const full = openSync('/dev/full', 'w');
    const output = new LogOutput(full);
    for (let line = 0; line < 100; line += 1) output.write(`${line}\n`);
    await until(() => output.dropped === 100);
    output.flush();
    closeSync(full);
  });

  test('a reader of the log that stopped is not waited for, and gets the number of dropped lines', async () => {
    const pipe = resolve(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const descriptor = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    const output = new LogOutput(descriptor);
    const line = `${'x'.repeat(999)}\n`;
    for (let count = 0; count < 5000; count += 1) output.write(line);
    expect(output.dropped).toBeGreaterThan(3000);
    const dropped = output.dropped;

    let text = '';
    const buffer = Buffer.alloc(65_536);
    await until(() => {
      try {
        text += buffer.toString('latin1', 0, readSync(descriptor, buffer));
      } catch {
        // Nothing to read yet.
      }
      return text.includes('could not be written') && text.length > (5000 - dropped) * line.length;
    });
    expect(text).toContain(`"dropped":${dropped},`);
    expect(text.match(/x{999}\n/g)).toHaveLength(5000 - dropped);
    closeSync(descriptor);
  });

  test('a process that ends after a slow reader loses no line of the log, and keeps their order', async () => {
    const pipe = resolve(folder, 'slow');
    execFileSync('mkfifo', [pipe]);
    const descriptor = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    const output = new LogOutput(descriptor);
    const lines = Array.from({ length: 500 }, (_, at) => `${String(at).padStart(999, ' ')}\n`);
    for (const line of lines) output.write(line);
    // No one reads, so waiting ends after that time.
    await output.written(50);
    const all = output.written(60_000);
    let text = '';
    const buffer = Buffer.alloc(65_536);
    const take = () => {
      try {
        text += buffer.toString('latin1', 0, readSync(descriptor, buffer));
      } catch {
        // Nothing to read yet.
      }
    };
    const reading = setInterval(take, 1);
    await all;
    clearInterval(reading);
    output.flush();
    take();
    take();
    expect(text === lines.join('')).toBe(true);
    closeSync(descriptor);
  });

  test('a server whose output is on a full disk continues to answer', {
    timeout: 120_000,
  }, async () => {
    const databaseUrl = await createDatabase('sqlite');
    const port = await freePort();
    const full = openSync('/dev/full', 'w');
    const env = serverEnvironment('direct', databaseUrl, port);
    const child = spawn(process.execPath, ['lib/server.ts'], {
      env,
      stdio: ['ignore', full, full],
    });
    const there = () => ask(port, '/healthz', false).catch(() => null);
    while (!(await there())) await new Promise((resume) => setTimeout(resume, 50));
    for (let count = 0; count < 20; count += 1) {
      const form = 'grant_type=refresh_token&refresh_token=none';
      expect((await ask(port, '/oauth/token', false, form)).status).toBe(400);
    }
    expect((await ask(port, '/login', false)).status).toBe(200);
    expect((await ask(port, '/no-such-page', false)).status).toBe(404);
    expect((await ask(port, '/healthz', false)).status).toBe(200);
    child.kill();
    expect(await once(child, 'exit')).toEqual([0, null]);
    closeSync(full);
  });

  test('a server whose output has no reader continues to answer', async () => {
    const databaseUrl = await createDatabase('sqlite');
    const logFile = newLogFile('unread');
    const server = await startServer({ mount: 'direct', databaseUrl, logFile });
    server.process.stdout?.destroy();
    server.process.stderr?.destroy();
    for (let count = 0; count < 20; count += 1) {
      const form = 'grant_type=refresh_token&refresh_token=none';
      expect((await ask(server.port, '/oauth/token', false, form)).status).toBe(400);
    }
    expect((await ask(server.port, '/login', false)).status).toBe(200);
    expect((await ask(server.port, '/healthz', false)).status).toBe(200);
    server.process.kill();
    expect(await once(server.process, 'exit')).toEqual([0, null]);
  });
});
