import { expect, test } from 'vitest';
import { fillGuard, guardTexts } from '#lib/recipes/guard.ts';

const places = { site: 'https://wiki.example.net', app: '10.0.0.7:81', server: '[fd00::8]:3001' };
const texts = (own: Record<string, string>) =>
  guardTexts().map((guard) => {
    const blocks = fillGuard(guard, { siteHeaders: own }, places);
    return [guard.id, blocks.map(({ text }) => text).join('')] as const;
  });

test.each(texts({}))('the text for %s has the places of an app in it', (id, text) => {
  expect(text).not.toMatch(/app\.example\.org|127\.0\.0\.1[:,]/);
  expect(text).toContain('wiki.example.net');
  // In a cluster, both are services with names.
  if (id === 'kubernetes') return;
  const [app, server] =
    id === 'envoy'
      ? ['10.0.0.7, port_value: 81 ', '[fd00::8], port_value: 3001 ']
      : ['10.0.0.7:81', '[fd00::8]:3001'];
  expect(text).toContain(app);
  expect(text).toContain(server);
});

test.each(texts({ 'X-WEBAUTH-USER': 'user' }))(
  'the text for %s has the headers of an app',
  (_, text) => {
    expect(text.toLowerCase()).toMatch(/x[-_]webauth[-_]user/);
  },
);

test('the blocks for one proxy have different titles', () => {
  for (const { id, blocks } of guardTexts()) {
    const titles = blocks.map(({ title }) => title);
    expect(new Set(titles).size, id).toBe(titles.length);
  }
});
