import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { prepareForNext } from '#lib/server/for-next.ts';

/** The headers that Next.js receives for a request with these headers. */
function handedOn(headers: Record<string, string>): IncomingMessage['headers'] {
  const request = {
    headers: { host: 'localhost:3000', ...headers },
    socket: { remoteAddress: '127.0.0.1' },
  } as unknown as IncomingMessage;
  prepareForNext(request, false);
  return request.headers;
}

/** This id is in every build, and in a package anyone can read it. */
const { previewModeId } = JSON.parse(readFileSync('.next/server/preview-props.json', 'utf8'));

test('headers and cookies with the preview id of the build cannot switch drafts or caches of Next.js', () => {
  const handed = handedOn({
    'x-prerender-revalidate': previewModeId,
    'x-prerender-revalidate-if-generated': '1',
    'x-next-revalidated-tags': 'all',
    'x-next-revalidate-tag-token': previewModeId,
    cookie: `__prerender_bypass=${previewModeId}; gh_session=kept;__next_preview_data=x; theme=dark`,
  });
  expect(JSON.stringify(handed)).not.toContain(previewModeId);
  expect(Object.keys(handed).filter((name) => /prerender|revalidate/.test(name))).toEqual([]);
  expect(handed.cookie).toBe(' gh_session=kept; theme=dark');
});

test('other cookies reach Next.js unchanged, also those with similar names', () => {
  const cookie = 'a=1; x__prerender_bypass=2; b="__prerender_bypass=3"';
  expect(handedOn({ cookie }).cookie).toBe(cookie);
  expect(handedOn({})).not.toHaveProperty('cookie');
});
