import { describe, expect, test } from 'vitest';
import { mayUse, noAccess } from '#lib/oauth/access.ts';
import { accessCases } from '../support/access-cases.ts';

describe('who may use an app', () => {
  test.each(accessCases)('$name', ({ rule, person, may }) => {
    expect(mayUse(rule, person)).toBe(may);
  });
});

test.each(['access_denied', 'invalid_grant'] as const)('%s names the rule', (code) => {
  expect(noAccess(code)).toMatchObject({ code, facts: { rule: 'access.not-listed' } });
});
