import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allLocales, messageOf } from '#lib/messages/locales.ts';
import type { Message } from '#lib/messages/message.ts';

test('browser scripts do not contain the message catalogues', () => {
  const scripts = globSync('.next/static/**/*.js').map((file) => readFileSync(file, 'utf8'));
  expect(scripts.length).toBeGreaterThan(5);
  for (const locale of allLocales) {
    const textOf = (message: Message) =>
      [message]
        .flat()
        .filter((piece) => typeof piece === 'string')
        .join('');
    for (const key of [
      'signIn.wrong',
      'error.unexpectedText',
      'codes.warning',
      'mail.recovery.text',
    ] as const)
      expect
        .soft(
          scripts.some((script) => script.includes(textOf(messageOf(locale, key)).slice(4, 24))),
          `${locale} ${key}`,
        )
        .toBe(false);
    expect
      .soft(
        scripts.some((script) => /['"]signIn\.wrong['"]/.test(script)),
        locale,
      )
      .toBe(false);
  }
});
