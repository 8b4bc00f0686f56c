import { expect, test } from 'vitest';
import { domainOf } from '#lib/people/webfinger.ts';

test.each([
  ['acct:ada@example.org', 'example.org'],
  ['ACCT:Ada@Example.ORG', 'example.org'],
  ['acct:ada%40home.example@example.org', 'example.org'],
  ['acct:ada@bücher.example', 'xn--bcher-kva.example'],
  ['mailto:ada+x@example.org', 'example.org'],
  ['ada@example.org', 'example.org'],
  ['https://example.org/ada', 'example.org'],
  ['https://example.org:8443', 'example.org'],
  ['acct:ada', null],
  ['acct:@example.org', null],
  ['acct:ada@example.org/x', null],
  ['acct:ada@', null],
  ['', null],
  [`acct:${'a'.repeat(1000)}@example.org`, null],
])('the WebFinger resource %s belongs to %s', (resource, domain) => {
  expect(domainOf(resource)).toBe(domain);
});
