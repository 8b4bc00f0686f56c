import { expect, test } from 'vitest';
import { durationIn, periodIn } from '#lib/messages/format.ts';
import { allLocales, inDashboard } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { readDuration, sayDuration } from '#lib/settings/duration.ts';
import { settingKeys, settingTable } from '#lib/settings/table.ts';
import { processorTime } from '../support/linear.ts';

test.each([
  ['3600', 3600],
  ['0', 0],
  ['1 hour', 3600],
  ['1 h', 3600],
  ['1h', 3600],
  ['90 minutes', 5400],
  ['90min', 5400],
  ['1 hour 30 minutes', 5400],
  ['1h30m', 5400],
  ['1 hour and 30 minutes', 5400],
  ['1 day, 2 hours', 93_600],
  ['1.5 hours', 5400],
  ['0.1 min', 6],
  ['an hour', 3600],
  ['half an hour', 1800],
  ['half a day', 43_200],
  ['30 Days', 2_592_000],
  ['2 weeks', 1_209_600],
  ['45 sec.', 45],
  ['  7   d  ', 604_800],
  ['30 Tage', 2_592_000],
  ['12 Std.', 43_200],
  ['2,5 Stunden', 9000],
  ['1,5 h', 5400],
  ['3 Tagen', 259_200],
  ['eine Stunde und 30 Min.', 5400],
  ['eine halbe Stunde', 1800],
  ['2 Wochen', 1_209_600],
])('the duration %j is %i seconds', (text, seconds) => {
  expect(readDuration(text)).toEqual({ seconds });
});

test.each([
  ['', 'Nothing was entered.'],
  ['soon', '“soon” isn’t a number.'],
  ['an hourr', '“hourr” isn’t a unit of time. Use seconds, minutes, hours, days or weeks.'],
  ['3 months', '“months” isn’t a unit of time.'],
  ['1 hour 30', 'It doesn’t say what 30 counts'],
  ['1.5', 'It doesn’t say what 1.5 counts'],
  ['-1', '“-1” isn’t a number.'],
  ['1e3 s', '“e” isn’t a unit of time.'],
  ['1,500 h', '“1,500” isn’t a number.'],
  ['0.1 s', 'It isn’t a whole number of seconds.'],
  ['half', 'It doesn’t say what half counts'],
  ['__proto__ constructor', 'isn’t a number.'],
  ['1 constructor', 'isn’t a unit of time.'],
  ['9'.repeat(81), 'The text is too long for a duration.'],
])('the duration %j is refused, and the message says which part is wrong', (text, fault) => {
  const read = readDuration(text);
  expect('fault' in read && read.fault.english).toContain(fault);
});

test.each([
  [0, '0 seconds'],
  [1, '1 second'],
  [60, '1 minute'],
  [3600, '1 hour'],
  [5400, '1 hour 30 minutes'],
  [2_592_000, '30 days'],
  [90_061, '1 day 1 hour 1 minute 1 second'],
])('a duration of %i seconds is written as %j', (seconds, said) => {
  expect(sayDuration(seconds)).toBe(said);
});

test('a written duration is read back to the same number of seconds', () => {
  for (let step = 0; step < 20_000; step += 1) {
    const seconds = (step * 2_654_435_761) % 315_360_001;
    expect(readDuration(sayDuration(seconds))).toEqual({ seconds });
  }
});

test('the default of each setting that is a duration is written so that its field accepts it', () => {
  for (const key of settingKeys) {
    const { say, parse, default: value } = settingTable[key];
    if (typeof value !== 'number' || !say) continue;
    expect(parse((say as (one: number) => string)(value)), key).toBe(value);
  }
});

test('any text is read as a duration in bounded time, to a number or an error message', () => {
  const pieces = ['9', '1', '.', ',', ' ', 'h', 'an', 'half', 'and', 'of', '-', 'é', '\u0000', 'e'];
  let state = 7;
  const next = (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  for (let run = 0; run < 20_000; run += 1) {
    const text = Array.from({ length: next(30) }, () => pieces[next(pieces.length)]).join('');
    const read = readDuration(text);
    if ('seconds' in read) expect(Number.isSafeInteger(read.seconds), text).toBe(true);
    else expect(read.fault.english.length, text).toBeGreaterThan(10);
  }
  const begun = processorTime();
  for (const long of [' ', '1', '1 h ', 'h', ', '])
    expect(readDuration(long.repeat(1_000_000))).toHaveProperty('fault');
  expect(processorTime() - begun).toBeLessThan(5000);
});

/** Only admins type durations. */
const ofAdmins = allLocales.filter((tag) => inDashboard(tag) === tag);

test.each(ofAdmins)('durations are read as %s writes them', (locale) => {
  for (const seconds of [0, 1, 59, 60, 90, 3600, 5400, 86_400, 90_061, 604_800, 31_536_000]) {
    expect(readDuration(durationIn(locale, seconds))).toEqual({ seconds });
    // Without a sign between thousands, such as 90,061 seconds.
    const period = periodIn(locale, seconds);
    if (!/\d[.,]\d{3}/.test(period)) expect(readDuration(period)).toEqual({ seconds });
  }
  expect(durationIn('en', 5400)).toBe(sayDuration(5400));
});

test.each(ofAdmins.filter((tag) => !tag.startsWith('ar')))(
  'the words that %s has for no limit, at once and off are read',
  (locale) => {
    const text = textIn(locale);
    for (const key of settingKeys) {
      const { time, parse } = settingTable[key];
      if (time?.zero) expect(parse(text(`settings.${time.zero}`)), key).toBe(0);
    }
    expect(settingTable.accountDeletion.parse(text('settings.off'))).toBe('off');
    expect(settingTable.rememberDevice.parse(text('settings.off'))).toBe(0);
  },
);
