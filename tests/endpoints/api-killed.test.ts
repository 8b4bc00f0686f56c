import { setTimeout as after } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { callApi, keyWith } from '../support/api.ts';
import { newLogFile } from '../support/database.ts';
import { openServer } from '../support/open-server.ts';
import { startServer } from '../support/server.ts';

const gatehouse = await openServer();

test('a creation with an Idempotency-Key is made once, even if the server is killed (SIGKILL) during it', {
  timeout: 180_000,
}, async () => {
  const key = await keyWith(['group:write']);
  let answered = 0;
  for (const delay of [1, 4, 8, 14, 25]) {
    const name = `killed-${Math.random().toString(36).slice(2)}`;
    const sent = { key, json: { name }, headers: { 'Idempotency-Key': name } };
    const logFile = newLogFile('killed');
    const { databaseUrl } = gatehouse;
    const server = await startServer({ mount: 'direct', databaseUrl, logFile });
    const base = `http://127.0.0.1:${server.port}`;
    // Warms up its connections and statements, so that only the call itself is measured.
    await callApi({ ...gatehouse, base }, 'GET /groups', { key });
    const first = callApi({ ...gatehouse, base }, 'POST /groups', sent).catch(() => null);
    await after(delay);
    server.process.kill('SIGKILL');
    const heard = await first;
    if (heard) answered += 1;
    const again = await callApi(gatehouse, 'POST /groups', sent);
    expect([again.status, again.body.name]).toEqual([201, name]);
    if (heard) expect(again.body).toEqual(heard.body);
    const { body } = await callApi(gatehouse, `GET /groups?q=${name}`, { key });
    expect(body.groups).toHaveLength(1);
  }
  expect(answered).toBeLessThan(5);
});
