import { expect, test, vi } from 'vitest';
import { config } from '#lib/config.ts';
import { mails } from '#lib/mail/post.ts';
import { read } from '#lib/store/engine/database.ts';
import { createDatabase } from './support/database.ts';
import { isMade } from './support/made.ts';
import { endWork, setEnvironment, workOn } from './support/work-on.ts';

test('a queue that a test file has started does not begin on the database of the next file', async () => {
  workOn(await createDatabase('sqlite'));
  await read('SELECT 1 AS one', []);
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    mails.soon();
    expect(vi.getTimerCount()).toBe(1);
    await endWork();
    workOn(await createDatabase('sqlite'));
    await vi.runAllTimersAsync();
    expect(isMade('database')).toBe(false);
    expect(isMade('config')).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});

test('the environment that a test sets takes effect, even if the configuration was read before', async () => {
  workOn(await createDatabase('sqlite'));
  expect(config().mail.url).toBe(null);
  setEnvironment({ MAIL_URL: 'smtp://127.0.0.1:2525' });
  expect(config().mail.url).toBe('smtp://127.0.0.1:2525');
});
