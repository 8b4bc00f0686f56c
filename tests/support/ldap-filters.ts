import { randomInt } from 'node:crypto';
import { element, octets, sequence } from '#lib/ldap/ber.ts';
import { equal, present, searchOf, type Wire } from './ldap-wire.ts';

/** Values of attributes, from entries that there are. */
type Values = readonly (readonly [attribute: string, value: string])[];

const pick = <T>(list: readonly T[]): T => list[randomInt(list.length)] as T;

/** A value as somebody else would spell it, or a part of it. */
const respelled = (value: string): string =>
  pick([value, value.toUpperCase(), ` ${value} `, value.slice(0, 4), `${value}x`]);

/** A filter over these values, of every kind. */
function randomFilter(values: Values, depth: number): Buffer {
  const [attribute, value] = pick(values);
  const inner = () => randomFilter(values, depth - 1);
  const half = Math.floor(value.length / 2);
  const parts = [
    octets(value.slice(0, half), 0x80),
    octets(value.slice(half, half + 2), 0x81),
    octets(value.slice(-1), 0x82),
  ].filter(() => randomInt(3) > 0);
  const asserted = [octets(attribute), octets(respelled(value))];
  const single = [
    () => equal(attribute, respelled(value)),
    () => equal(attribute, value),
    () => present(attribute),
    () => element(pick([0xa5, 0xa6, 0xa8]), ...asserted),
    () =>
      parts.length === 0
        ? present(attribute)
        : element(0xa4, octets(attribute), element(sequence, ...parts)),
    () =>
      element(
        0xa9,
        octets(attribute, 0x82),
        octets(respelled(value), 0x83),
        octets(Buffer.from([randomInt(2) * 255]), 0x84),
      ),
  ];
  const joined = [
    () => element(0xa0, ...Array.from({ length: randomInt(1, 4) }, inner)),
    () => element(0xa1, ...Array.from({ length: randomInt(1, 4) }, inner)),
    () => element(0xa2, inner()),
  ];
  return pick(depth > 0 ? [...single, ...joined, ...joined] : single)();
}

/**
 * Asks with filters, and with each of them negated twice, which no index can help with: the tables
 * have to find the same.
 * @returns the filters whose answers differ, and how many found something
 */
export async function compareFilters(
  wire: Wire,
  base: string,
  values: Values,
  times: number,
): Promise<{ differ: string[]; found: number }> {
  const differ: string[] = [];
  let found = 0;
  for (let time = 0; time < times; time++) {
    const filter = randomFilter(values, 3);
    const twice = element(0xa2, element(0xa2, filter));
    const one = await wire.ask(searchOf({ filter, base, scope: 'sub' }));
    const other = await wire.ask(searchOf({ filter: twice, base, scope: 'sub' }));
    if (one.code !== other.code || one.entries !== other.entries)
      differ.push(`${one.entries} and ${other.entries}: ${filter.toString('latin1')}`);
    if (one.entries > 0) found += 1;
  }
  return { differ, found };
}

/** The values of attributes in entries, as a library reads them. */
export function valuesIn(entries: readonly Record<string, unknown>[]): Values {
  return entries.flatMap(({ dn: _, ...attributes }) =>
    Object.entries(attributes).flatMap(([attribute, value]) =>
      [value].flat().map((each) => [attribute, String(each)] as const),
    ),
  );
}
