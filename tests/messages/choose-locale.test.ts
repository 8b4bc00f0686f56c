import { describe, expect, test } from 'vitest';
import { chooseLocale, type Wishes } from '#lib/messages/choose-locale.ts';
import { processorTime } from '../support/linear.ts';

describe('the language is chosen by the request, the profile, the browser, then English', () => {
  test.each<[Wishes, string]>([
    [{}, 'en'],
    [{ uiLocales: 'de', profile: 'en', acceptLanguage: 'en' }, 'de'],
    [{ uiLocales: 'eo', profile: 'de', acceptLanguage: 'en' }, 'de'],
    [{ uiLocales: '', profile: 'de', acceptLanguage: 'en' }, 'de'],
    [{ profile: 'eo', acceptLanguage: 'de' }, 'de'],
    [{ profile: '', acceptLanguage: 'de' }, 'de'],
    [{ uiLocales: 'en', profile: 'de', acceptLanguage: 'de' }, 'en'],
    [{ uiLocales: 'eo ia', profile: 'vo', acceptLanguage: 'tlh' }, 'en'],
  ])('the wishes %j give %s', (wishes, locale) => expect(chooseLocale(wishes)).toBe(locale));
});

describe('ui_locales: tags in order, each shortened until one is known (RFC 4647 section 3.4)', () => {
  test.each([
    ['de-AT', 'de'],
    ['DE-at', 'de'],
    ['de_CH', 'de'],
    ['de-Latn-DE-1996', 'de'],
    ['de-x-private', 'de'],
    ['eo-CA eo de-CH en', 'de'],
    ['eo de en', 'de'],
    ['en-GB de', 'en-GB'],
    ['en-AU', 'en-GB'],
    ['en-US', 'en'],
    ['en-CA', 'en'],
    ['fr-CA', 'fr'],
    ['pt', 'pt-BR'],
    ['pt-PT', 'pt-BR'],
    ['nb', 'en'],
    ['nn-NO', 'en'],
    ['  de', 'de'],
    ['deu', 'en'],
    ['d', 'en'],
    ['-', 'en'],
    ['*', 'en'],
    ['de*', 'en'],
    ['<script>', 'en'],
    ['__proto__', 'en'],
    ['constructor', 'en'],
  ])('%s gives %s', (uiLocales, locale) => expect(chooseLocale({ uiLocales })).toBe(locale));
});

describe('Accept-Language', () => {
  test.each([
    ['de', 'de'],
    ['de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7', 'de'],
    ['en-US,en;q=0.9,de;q=0.8', 'en'],
    ['eo-FR,eo;q=0.9,de;q=0.5', 'de'],
    ['en;q=0.5, de;q=0.8', 'de'],
    ['en;q=0.5 , de ; q=0.8', 'de'],
    ['de;q=0, en;q=0.1', 'en'],
    ['de;q=0', 'en'],
    ['*', 'en'],
    ['*, de;q=0.5', 'de'],
    ['de;q=nonsense, en;q=0.1', 'en'],
    ['de;q=2, en;q=0.1', 'en'],
    ['de;q=-1', 'en'],
    ['de;Q=0.5', 'de'],
    [',,,;;;q=,de', 'de'],
    [';q=1', 'en'],
    ['', 'en'],
  ])('%s gives %s', (acceptLanguage, locale) =>
    expect(chooseLocale({ acceptLanguage })).toBe(locale),
  );

  test('a huge header is read only in part, in little time, and never fails', () => {
    const started = processorTime();
    expect(chooseLocale({ acceptLanguage: `${'eo,'.repeat(1_000_000)}de` })).toBe('en');
    expect(chooseLocale({ acceptLanguage: `de,${'x-'.repeat(1_000_000)}` })).toBe('de');
    expect(
      chooseLocale({ uiLocales: 'a-'.repeat(1_000_000), profile: '-'.repeat(1_000_000) }),
    ).toBe('en');
    expect(processorTime() - started).toBeLessThan(500);
  });
});

describe('the pseudo-locale', () => {
  test('is chosen only by its own tag', () => {
    expect(chooseLocale({ uiLocales: 'ar-XB' })).toBe('ar-XB');
    expect(chooseLocale({ profile: 'ar-xb' })).toBe('ar-XB');
    expect(chooseLocale({ acceptLanguage: 'ar-XB,de' })).toBe('ar-XB');
  });
  test.each(['ar', 'ar-EG', 'ar-*', '*', 'ar-X', 'XB'])('is not chosen by %s', (range) => {
    expect(chooseLocale({ uiLocales: range, acceptLanguage: range })).not.toBe('ar-XB');
  });
});
