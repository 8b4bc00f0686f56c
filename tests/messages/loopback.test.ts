import { expect, test } from 'vitest';
import { stumbles } from '#lib/messages/docs.ts';
import { textIn } from '#lib/messages/text.ts';

test('the dashboard and /docs explain loopback ports and the warning of RFC 8252 section 8.3', () => {
  expect(textIn('en')('clients.redirectUrisHintPublic')).toContain('may use any port there');
  const { text = '' } = stumbles.find(({ id }) => id === 'redirect-uris') ?? {};
  for (const word of ['127.0.0.1', '[::1]', 'localhost', 'section 7.3', 'section 8.3', '8.6'])
    expect(text).toContain(word);
});
