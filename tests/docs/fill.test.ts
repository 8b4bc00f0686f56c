import { describe, expect, test } from 'vitest';
import { canFill, fillPage, namesApp } from '#lib/docs/fill.ts';

const sample = [
  'curl -u "YOUR-CLIENT-ID:$CLIENT_SECRET" "https://id.example.org/oauth/token"',
  '  { execute: [client.allowInsecureRequests] }, // while the issuer is http',
  "redirect('https://app.example.org/callback'); goodbye('https://app.example.org/');",
  '',
].join('\n');
const app = { id: 'shop', redirectUris: ['https://shop.example/cb'], postLogoutRedirectUris: [] };

test('samples in the docs have the server’s address, and a line for plain http only if it has no https', () => {
  const filled = fillPage(sample, 'http://localhost:4000');
  expect(filled).toContain('"http://localhost:4000/oauth/token"');
  expect(filled).toContain('allowInsecureRequests');
  expect(filled).toContain('YOUR-CLIENT-ID');
  expect(fillPage(sample, 'https://id.example.com')).not.toContain('allowInsecureRequests');
});

test('samples in the docs have an app’s values instead of the examples; those it lacks stay examples', () => {
  const filled = fillPage(sample, 'https://id.example.com', app);
  expect(filled).toContain('-u "shop:$CLIENT_SECRET"');
  expect(filled).toContain(
    "redirect('https://shop.example/cb'); goodbye('https://app.example.org/')",
  );
  const away = { ...app, postLogoutRedirectUris: ['https://shop.example/bye'] };
  expect(fillPage(sample, 'https://id.example.com', away)).toContain(
    "goodbye('https://shop.example/bye')",
  );
  expect([namesApp(sample), namesApp(filled)]).toEqual([true, false]);
});

describe('values with which a pasted sample could do harm are not filled in', () => {
  test.each([
    { ...app, id: 'shop"; reboot; "' },
    { ...app, id: "shop'" },
    { ...app, id: 'shop$(reboot)' },
    { ...app, id: 'shop`reboot`' },
    { ...app, redirectUris: ["https://shop.example/';reboot;'"] },
    { ...app, redirectUris: ['https://shop.example/\\'] },
    { ...app, redirectUris: ['https://shop.example/<b>'] },
    { ...app, postLogoutRedirectUris: ['https://shop.example/$(reboot)'] },
  ])('$id $redirectUris $postLogoutRedirectUris', (evil) => {
    expect(canFill(evil)).toBe(false);
    expect(fillPage(sample, 'https://id.example.com', evil)).toBe(
      fillPage(sample, 'https://id.example.com'),
    );
  });
});
