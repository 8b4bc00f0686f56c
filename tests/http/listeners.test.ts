import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bounds, countListeners, listenTo, newsId } from '#app/admin/traces/listening/listeners.ts';
import { Events } from '../support/events.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(async () => {
  await Promise.all(pages.splice(0).map((page) => page.leave()));
  await vi.runAllTimersAsync();
  vi.useRealTimers();
  expect(countListeners()).toBe(0);
});

const pages: Events[] = [];
let reads = 0;
let news: unknown = 'nothing yet';
const read = async () => {
  reads += 1;
  return news;
};

/** A listening page; null if there are too many. */
function listen(session: string, client = 'app', admits = async () => true): Events | null {
  const answer = listenTo(client, read, { session, admits });
  if (!answer?.stream) return null;
  const page = new Events(new Response(answer.stream));
  pages.push(page);
  return page;
}

const tick = (milliseconds = bounds.every) => vi.advanceTimersByTimeAsync(milliseconds);

test('event stream: one read per second serves all listeners of an app, and none without listeners', async () => {
  reads = 0;
  await tick(10_000);
  expect(reads).toBe(0);
  const many = Array.from({ length: 20 }, (_, index) => listen(`session ${index}`));
  await tick(10 * bounds.every);
  expect(reads).toBeGreaterThanOrEqual(10);
  expect(reads).toBeLessThanOrEqual(11);
  news = 'something';
  await tick();
  for (const page of many) expect(await page?.until((data) => data === news)).toBe('something');
  await Promise.all(many.map((page) => page?.leave()));
  await tick();
  reads = 0;
  await tick(10_000);
  expect(reads).toBe(0);
});

test('event stream: a page gets new data, and otherwise only a heartbeat', async () => {
  news = 'first';
  const page = listen('alone');
  await tick(bounds.beat + bounds.every);
  expect(await page?.next()).toBe('retry: 2000');
  expect(await page?.next()).toBe(`id: ${newsId('first')}\ndata: "first"`);
  expect(await page?.next()).toBe(': still here');
});

test('event stream: a process takes a hundred listeners, and more once some have left', async () => {
  const all = Array.from({ length: bounds.all }, (_, index) => listen(`one of ${index}`));
  expect(all).not.toContain(null);
  expect(listen('one more')).toBeNull();
  await all[0]?.leave();
  expect(listen('one more')).not.toBeNull();
});

test('event stream: each stream ends after five minutes', async () => {
  const page = listen('long');
  await tick(bounds.life + bounds.every);
  expect((await page?.end())?.at(-1)).toBe(': still here');
  expect(countListeners()).toBe(0);
});

test('event stream: a page that reads nothing gets no more data and is dropped', async () => {
  const answer = listenTo('slow app', read, { session: 'slow', admits: async () => true });
  const reader = answer?.stream?.getReader();
  news = 'x'.repeat(40_000);
  await tick();
  for (let step = 0; step < 10; step += 1) {
    news = `${'x'.repeat(40_000)}${step}`;
    await tick();
  }
  await tick(bounds.beat);
  expect(countListeners()).toBe(0);
  let bytes = 0;
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) break;
    bytes += value?.length ?? 0;
  }
  expect(bytes).toBeLessThan(50_000);
});

test('event stream: a listener who loses the permission is dropped without the new data', async () => {
  let isAllowed = true;
  news = 'before';
  const page = listen('demoted', 'app', async () => isAllowed);
  await tick();
  isAllowed = false;
  news = 'after';
  await tick();
  expect((await page?.end())?.join()).not.toContain('after');
});
