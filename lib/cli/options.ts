import type { Command } from 'commander';
import { readPairs as pairsIn } from '../management/pairs.ts';
import { readDuration } from '../settings/duration.ts';
import { refuseCommand } from './refuse.ts';

export type ListOptions = { limit?: string; cursor?: string };

export function addListOptions(command: Command): Command {
  return command
    .option('--limit <n>', 'rows per page (50)')
    .option('--cursor <cursor>', 'continue where the last list ended');
}

export function readList({ limit, cursor }: ListOptions): { limit?: number; cursor?: string } {
  return { limit: limit === undefined ? undefined : readLimit(limit), cursor };
}

export function readLimit(given: string): number {
  if (!/^\d{1,6}$/.test(given)) refuseCommand(`--limit takes a number, not "${given}".`);
  return Number(given);
}

/** Collects the values of an option that may be repeated. */
export function collect(value: string, values: string[] = []): string[] {
  return [...values, value];
}

const switches: Record<string, boolean> = {
  on: true,
  true: true,
  '1': true,
  yes: true,
  off: false,
  false: false,
  '0': false,
  no: false,
};

/** The value of `--option`, `--option on`, `--option off` or `--no-option`. */
export function readSwitch(
  option: string,
  value: string | boolean | undefined,
): boolean | undefined {
  if (typeof value !== 'string') return value;
  return (
    switches[value.toLowerCase()] ?? refuseCommand(`--${option} takes on or off, not "${value}".`)
  );
}

/** The same, where `default` means the server's setting. */
export function readSwitchOrDefault(
  option: string,
  value: string | boolean | undefined,
): boolean | null | undefined {
  if (typeof value !== 'string') return value;
  if (value.toLowerCase() === 'default') return null;
  return (
    switches[value.toLowerCase()] ??
    refuseCommand(`--${option} takes on, off or default, not "${value}".`)
  );
}

/** A duration in words, as seconds, or a number of seconds; `default` means the server's setting. */
export function readSeconds(option: string, value: string | undefined): number | null | undefined {
  if (value === undefined) return undefined;
  if (value.toLowerCase() === 'default') return null;
  const read = readDuration(value);
  if ('seconds' in read) return read.seconds;
  return refuseCommand(
    `--${option} takes a time such as 90 minutes or 30 days, seconds, or default, not "${value}". ${read.fault.english}`,
  );
}

/** `name=value` of a repeated option; `none` or an empty value means an empty list. */
export function readPairsOption(
  option: string,
  given: string[] | string | boolean | undefined,
): Readonly<Record<string, string>> | undefined {
  if (!Array.isArray(given)) return undefined;
  if (given.length === 1 && ['none', ''].includes(given[0] ?? '')) return {};
  const wrong = given.find((text) => !text.includes('='));
  if (wrong !== undefined) refuseCommand(`--${option} takes name=value, or none, not "${wrong}".`);
  const read = pairsIn(given);
  return 'pairs' in read
    ? read.pairs
    : refuseCommand(`“${read.twice.slice(0, 60)}” is there twice.`);
}

/** One JSON object per use of the option; `none` or an empty value means an empty list. */
export function readJsonObjects(
  option: string,
  given: string[] | string | boolean | undefined,
): unknown[] | undefined {
  if (!Array.isArray(given)) return undefined;
  if (given.length === 1 && ['none', ''].includes(given[0] ?? '')) return [];
  return given.map((text) => {
    try {
      return JSON.parse(text);
    } catch {
      return refuseCommand(`--${option} takes JSON, or none, not "${text.slice(0, 100)}".`);
    }
  });
}

/** The flags of a time, converted to the form that acts take. */
const readTime = (option: string) => (given: string) =>
  readMoment(option, given, new Date())?.toISOString();

export const timeFlags = {
  since: {
    flag: '--since <time>',
    says: '2026-01-31, 2026-01-31T12:00:00Z, or 24h for the last 24 hours',
    read: readTime('since'),
  },
  until: { flag: '--until <time>', says: 'before this time', read: readTime('until') },
};

/** A point in time: a date, a date with time, or minutes, hours or days ago (30m, 12h, 7d). */
function readMoment(option: string, value: string | undefined, now: Date): Date | undefined {
  if (value === undefined) return undefined;
  const ago = /^(\d{1,6})([mhd])$/.exec(value);
  if (ago)
    return new Date(
      now.getTime() -
        Number(ago[1]) * { m: 60_000, h: 3600_000, d: 86_400_000 }[ago[2] as 'm' | 'h' | 'd'],
    );
  const moment = new Date(value);
  const sound = /^\d{4}-\d{2}-\d{2}/.test(value) && !Number.isNaN(moment.getTime());
  return sound
    ? moment
    : refuseCommand(
        `--${option} takes a time such as 2026-01-31, 2026-01-31T12:00:00Z or 24h, not "${value}".`,
      );
}

/** Given, or, for `-`, the first line of standard input: other processes cannot see it. */
export async function readPassword(given: string): Promise<string> {
  if (given !== '-') return given;
  if (process.stdin.isTTY) return (await import('./typed.ts')).typePassword();
  const { createInterface } = await import('node:readline');
  const { textOf } = await import('../settings/text-file.ts');
  // Its bytes, which each character of Latin-1 stands for.
  const input = process.stdin.setEncoding('latin1');
  for await (const line of createInterface({ input }))
    return textOf(Buffer.from(line, 'latin1'), 'Standard input');
  return refuseCommand('Standard input is empty. Pass the password on it.');
}

/** Checks that a value is one that the option accepts. */
export function readChoice<T extends string>(
  option: string,
  value: string | undefined,
  known: readonly T[],
): T | undefined {
  if (value === undefined) return undefined;
  const found = known.find((each) => each === value);
  return found ?? refuseCommand(`--${option} takes ${known.join(', ')}, not "${value}".`);
}
