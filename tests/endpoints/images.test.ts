import { expect, test } from 'vitest';
import { openServer } from '../support/open-server.ts';

const server = await openServer();

// An open image service would let outsiders make this server work and fill its disk with cached
// results.
test('Next.js image resizing (/_next/image) is off', async () => {
  const answer = await fetch(`${server.base}/_next/image?url=%2Ffavicon.svg&w=64&q=75`);
  expect(answer.status).toBe(404);
});
