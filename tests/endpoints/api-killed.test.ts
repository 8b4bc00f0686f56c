import { setTimeout as after } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { callApi, keyWith } from '../support/api.ts';
import { newLogFile } from '../support/database.ts';
import { openHouse } from '../support/house.ts';
import { startServer } from '../support/server.ts';

const house = await openHouse();

test('a creation with an Idempotency-Key is made once, even if the server is killed (SIGKILL) during it', {
  timeout: 180_000,
}, async () => {
  const key = await keyWith(['group:write']);
  let answered = 0;
  for (const delay of [1, 4, 8, 14, 25]) {
    const name = `killed-${Math.random().toString(36).slice(2)}`;
    const sent = { key, json: { name }, headers: { 'Idempotency-Key': name } };
    const logFile = newLogFile('killed');
    const { databaseUrl } = house;
    const server = await startServer({ mount: 'direct', databaseUrl, logFile });
    const base = `http://127.0.0.1:${server.port}`;
    // Warms up its connections and statements, so that only the call itself is measured.
    await callApi({ ...house, base }, 'GET /groups', { key });
    const first = callApi({ ...house, base }, 'POST /groups', sent).catch(() => null);
    await after(delay);
    server.process.kill('SIGKILL');
    const heard = await first;
    if (heard) answered += 1;
    const again = await callApi(house, 'POST /groups', sent);
    expect([again.status, again.body.name]).toEqual([201, name]);
    if (heard) expect(again.body).toEqual(heard.body);
    const { body } = await callApi(house, `GET /groups?q=${name}`, { key });
    expect(body.groups).toHaveLength(1);
  }
  expect(answered).toBeLessThan(5);
});
