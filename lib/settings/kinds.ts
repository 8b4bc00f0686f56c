import { profiles, type SecurityProfile } from '../oauth/settings.ts';
import { type Wording, wording } from '../oauth/wording.ts';
import { readDomain } from '../people/email.ts';
import { readDuration, sayDuration } from './duration.ts';

/** A kind of value: how it is parsed and shown, and what it accepts, in words. */
export type Kind<T> = {
  /** Parses a value; undefined if it is invalid. */
  parse: (text: string) => T | undefined;
  takes: Wording;
  /** What exactly is wrong with an invalid text. */
  fault?: (text: string) => Wording | undefined;
  /** The value in words that `parse` can read back. Without it, the value is shown as stored. */
  say?: (value: T) => string;
  /** The words to choose from, if the value is one of a list. */
  choices?: readonly T[];
  /** For a length of time: its unit. */
  time?: Time;
};

/** The unit of a length of time, and what 0 means where 0 is allowed. */
type Time = { counts: 'seconds' | 'days'; zero?: 'forever' | 'atOnce' | 'off' };

const switches: Record<string, boolean> = {
  on: true,
  ein: true,
  true: true,
  '1': true,
  off: false,
  aus: false,
  false: false,
  '0': false,
};

export const onOff: Kind<boolean> = {
  parse: (text) => switchOf(text),
  takes: wording('takes.onOff', 'on or off'),
};

function switchOf(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  return Object.hasOwn(switches, word) ? switches[word] : undefined;
}

/** One of several words. A choice with on and off also accepts the spellings of switches. */
export function choice<const T extends string>(...values: readonly T[]): Kind<T> {
  const last = values.at(-1) ?? '';
  const one = values.slice(0, -1).join(', ');
  const isSwitch = values.length === 2 && values[0] === 'on' && last === 'off';
  return {
    parse: (text) => {
      const on = isSwitch ? switchOf(text) : undefined;
      const word = on === undefined ? text.toLowerCase() : on ? 'on' : 'off';
      return values.find((value) => value === word);
    },
    takes: wording('refused.or', '{one} or {other}', { one, other: last }),
    choices: values,
  };
}

/** `interface` is what the dashboard calls "Compatible". */
export const profileKind: Kind<SecurityProfile> = {
  parse: (text) => {
    const word = text.toLowerCase();
    return word === 'compatible' ? 'interface' : profiles.find((profile) => profile === word);
  },
  takes: wording('takes.profile', 'interface (Compatible), strict or fapi'),
};

/** Ten years: anything longer is a typo, and seconds stay exact in every database. */
const longest = 315_360_000;

export function duration(least: 1 | 60): Kind<number> {
  return {
    parse: (text) => {
      const read = readDuration(text);
      const value = 'seconds' in read ? read.seconds : -1;
      return value >= least && value <= longest ? value : undefined;
    },
    fault: (text) => {
      const read = readDuration(text);
      if ('fault' in read) return read.fault;
      return read.seconds < least
        ? wording('refused.duration.short', 'That is too short.')
        : wording('refused.duration.tooLong', 'That is too long.');
    },
    takes: wording(
      'takes.duration',
      'a time from {least} to 10 years, such as 90 minutes, 1 hour or 30 days; a number alone counts seconds',
      {
        least:
          least === 1 ? wording('takes.second', '1 second') : wording('takes.minute', '1 minute'),
      },
    ),
    say: sayDuration,
    time: { counts: 'seconds' },
  };
}

export const domains: Kind<readonly string[]> = {
  parse: (text) => {
    const names = text
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(readDomain);
    return names.every((name) => name !== null) ? names : undefined;
  },
  takes: wording('takes.domains', 'domains separated by commas, such as example.org, example.com'),
};

/** Names of groups, which need not exist. */
export const groupNames: Kind<readonly string[]> = {
  parse: (text) => {
    const names = text
      .split(/[,\n]/)
      .map((name) => name.trim())
      .filter(Boolean);
    return names.length <= 50 && names.every((name) => name.length <= 200) ? names : undefined;
  },
  takes: wording('takes.groupNames', 'up to 50 names of groups, separated by commas'),
};

export const percent: Kind<number> = {
  parse: (text) => {
    const [, digits] = /^(\d{1,3})\s?%?$/.exec(text.trim()) ?? [];
    const value = Number(digits);
    return value >= 1 && value <= 100 ? value : undefined;
  },
  takes: wording('takes.percent', 'a share from 1 to 100 percent, such as 5'),
  say: (value) => `${value} %`,
};

/** Words for every host. */
const anyHost = new Set(['any', 'alle']);

/** Each host as it is compared, or as it was written where it is none. */
const hostsIn = (text: string) =>
  text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((typed) => {
      if (anyHost.has(typed)) return { typed, host: 'any' };
      const [below, name] = typed.startsWith('*.') ? ['*.', typed.slice(2)] : ['', typed];
      const domain = readDomain(name);
      return { typed, host: domain && below + domain };
    });

/** Hosts; `*.` before a host means all hosts below it, and `any` means every host. */
export const documentHosts: Kind<readonly string[]> = {
  parse: (text) => {
    const hosts = hostsIn(text).map(({ host }) => host);
    return hosts.every((host) => host !== null) ? [...new Set(hosts)] : undefined;
  },
  fault: (text) => {
    const wrong = hostsIn(text).find(({ host }) => host === null);
    if (!wrong) return undefined;
    return wording('refused.setting.host', '"{host}" is not the name of a host.', {
      host: wrong.typed.slice(0, 60),
    });
  },
  takes: wording(
    'takes.hosts',
    'hosts separated by commas, such as claude.ai, *.example.org, or any for every host',
  ),
};

const sayDays = (value: number) => (value === 1 ? '1 day' : `${value} days`);

/** Whole days: "30 days", or the number alone. */
function readDays(text: string): number | undefined {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  const read = /^\d*$/.test(text) ? null : readDuration(text);
  if (!read || !('seconds' in read)) return undefined;
  return read.seconds > 0 && read.seconds % 86_400 === 0 ? read.seconds / 86_400 : undefined;
}

export function days(most: number): Kind<number> {
  return {
    parse: (text) => {
      const value = readDays(text) ?? 0;
      return value >= 1 && value <= most ? value : undefined;
    },
    takes: wording('takes.days', 'whole days from 1 to {most}, such as 30 days or 2 weeks', {
      most: String(most),
    }),
    say: sayDays,
    time: { counts: 'days' },
  };
}

/** Whole days, 0 for immediately, or off. */
export function daysOrOff(most: number): Kind<number | 'off'> {
  return {
    parse: (text) => {
      if (switchOf(text) === false && text !== '0') return 'off';
      const value = atOnce.has(text.trim().toLowerCase()) ? 0 : readDays(text);
      return value !== undefined && value <= most ? value : undefined;
    },
    takes: wording(
      'takes.daysOrOff',
      'whole days up to {most}, such as 7 days or 2 weeks, 0 for immediately, or off',
      { most: String(most) },
    ),
    say: (value) => (typeof value === 'number' ? sayDays(value) : value),
    time: { counts: 'days', zero: 'atOnce' },
  };
}

/** Whole days; 0 turns it off. */
export function daysOrNone(most: number): Kind<number> {
  return {
    parse: (text) => {
      const value = switchOf(text) === false ? 0 : readDays(text);
      return value !== undefined && value <= most ? value : undefined;
    },
    takes: wording(
      'takes.daysOrNone',
      'whole days from 1 to {most}, such as 30 days, or 0 for off',
      {
        most: String(most),
      },
    ),
    say: (value) => (value === 0 ? 'off' : sayDays(value)),
    time: { counts: 'days', zero: 'off' },
  };
}

const ever = new Set(['forever', 'for ever', 'no limit', 'unbegrenzt', 'für immer']);
const atOnce = new Set(['immediately', 'at once', 'sofort']);

export const daysOrEver: Kind<number> = {
  parse: (text) => {
    const value = ever.has(text.trim().toLowerCase()) ? 0 : readDays(text);
    return value !== undefined && value <= 36_500 ? value : undefined;
  },
  takes: wording(
    'takes.daysOrEver',
    'whole days from 1 to 36500, such as 400 days or 4 weeks, or 0 for no limit (forever)',
  ),
  say: (value) => (value === 0 ? 'forever' : sayDays(value)),
  time: { counts: 'days', zero: 'forever' },
};
