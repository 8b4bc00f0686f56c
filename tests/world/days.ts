/*
 * Days and when they begin: zones of the tz database whose clocks skip midnight, turn back over it,
 * or left out a day.
 */
export const days: readonly (readonly [
  day: string,
  zone: string,
  begins: string,
  source: string,
])[] = [
  ['2026-03-08', 'America/Havana', '2026-03-08T05:00:00.000Z', 'tz: Cuba skips 00:00 to 01:00'],
  ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z', 'tz: Cuba has 00:00 twice'],
  [
    '2026-04-24',
    'Africa/Cairo',
    '2026-04-23T22:00:00.000Z',
    'tz: Egypt skips midnight of a Friday',
  ],
  ['2024-03-31', 'Asia/Beirut', '2024-03-30T22:00:00.000Z', 'tz: Lebanon skips midnight'],
  ['2023-10-01', 'America/Asuncion', '2023-10-01T04:00:00.000Z', 'tz: Paraguay skips midnight'],
  [
    '2018-11-04',
    'America/Sao_Paulo',
    '2018-11-04T03:00:00.000Z',
    'moment #1521: Brazil skips midnight',
  ],
  ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z', 'tz: Samoa had no 30 December 2011'],
  ['2011-12-31', 'Pacific/Apia', '2011-12-30T10:00:00.000Z', 'tz: it went on with the 31st'],
  ['2026-01-01', 'Pacific/Kiritimati', '2025-12-31T10:00:00.000Z', 'tz: 14 hours ahead'],
  ['2026-01-01', 'Etc/GMT+12', '2026-01-01T12:00:00.000Z', 'tz: 12 hours behind'],
  [
    '2026-10-04',
    'Australia/Lord_Howe',
    '2026-10-03T13:30:00.000Z',
    'tz: half an hour of summer time',
  ],
  ['2024-02-29', 'Asia/Kathmandu', '2024-02-28T18:15:00.000Z', 'a leap day'],
  ['2014-03-09', 'America/Los_Angeles', '2014-03-09T08:00:00.000Z', 'moment #1521'],
  ['2014-03-30', 'Europe/London', '2014-03-30T00:00:00.000Z', 'moment-timezone #68'],
  ['2021-04-15', 'Australia/Melbourne', '2021-04-14T14:00:00.000Z', 'dayjs #1437'],
  [
    '2026-09-06',
    'America/Santiago',
    '2026-09-06T04:00:00.000Z',
    'vellum #33088: Chile skips midnight',
  ],
  ['2010-10-17', 'America/Sao_Paulo', '2010-10-17T03:00:00.000Z', 'redmine #4025'],
  ['2022-03-22', 'Asia/Tehran', '2022-03-21T20:30:00.000Z', 'tz: Iran skips midnight'],
];

export const notDays = [
  '2026-02-30',
  '2026-02-29',
  '2026-04-31',
  '2026-13-01',
  '2026-00-10',
  '2026-01-00',
  '12/30/2026',
  '٢٠٢٦-٠١-٠١',
];
