/** A kind of value: how it is parsed, and what it accepts, in words. */
export type Kind<T> = {
  /** Parses a value; undefined if it is invalid. */
  parse: (text: string) => T | undefined;
  takes: string;
};

const switches: Record<string, boolean> = {
  on: true,
  true: true,
  '1': true,
  off: false,
  false: false,
  '0': false,
};

export const onOff: Kind<boolean> = {
  parse: (text) => switchOf(text),
  takes: 'on or off',
};

function switchOf(text: string): boolean | undefined {
  const word = text.toLowerCase();
  return Object.hasOwn(switches, word) ? switches[word] : undefined;
}

/** One of several words. A choice with on and off also accepts the spellings of switches. */
export function oneOf<const T extends string>(...values: readonly T[]): Kind<T> {
  const last = values.at(-1);
  const takes = `${values.slice(0, -1).join(', ')} or ${last}`;
  const isSwitch = values.length === 2 && values[0] === 'on' && last === 'off';
  return {
    parse: (text) => {
      const on = isSwitch ? switchOf(text) : undefined;
      const word = on === undefined ? text.toLowerCase() : on ? 'on' : 'off';
      return values.find((value) => value === word);
    },
    takes,
  };
}

/** Ten years: anything longer is a typo, and seconds stay exact in every database. */
const longest = 315_360_000;

export function seconds(least: number): Kind<number> {
  return {
    parse: (text) => {
      const value = /^\d{1,9}$/.test(text) ? Number(text) : -1;
      return value >= least && value <= longest ? value : undefined;
    },
    takes: `whole seconds from ${least} to ${longest}`,
  };
}

const domain = /^(?!.{254})([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

export const domains: Kind<readonly string[]> = {
  parse: (text) => {
    const names = text
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean);
    return names.every((name) => domain.test(name)) ? names : undefined;
  },
  takes: 'domains separated by commas, such as example.org, example.com',
};

export function days(most: number): Kind<number> {
  return {
    parse: (text) => {
      const value = /^\d{1,5}$/.test(text) ? Number(text) : 0;
      return value >= 1 && value <= most ? value : undefined;
    },
    takes: `whole days from 1 to ${most}`,
  };
}

export const daysOrEver: Kind<number> = {
  parse: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= 36_500 ? Number(text) : undefined),
  takes: 'whole days from 1 to 36500, or 0 for no limit',
};
