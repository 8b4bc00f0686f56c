import { randomInt } from 'node:crypto';
import { element, octets, sequence } from '#lib/ldap/ber.ts';
import { requests } from '#lib/ldap/message.ts';
import {
  bindOf,
  equal,
  messageOf,
  pageOf,
  present,
  searchOf,
  startTls,
  whoAmI,
} from './ldap-wire.ts';

const filter = element(
  0xa0,
  equal('uid', 'anna'),
  element(
    0xa4,
    octets('cn'),
    element(sequence, octets('a', 0x80), octets('b', 0x81), octets('c', 0x82)),
  ),
  element(0xa2, present('mail')),
  element(0xa9, octets('2.5.13.2', 0x81), octets('cn', 0x82), octets('x', 0x83)),
  element(0xa5, octets('modifyTimestamp'), octets('20260101000000Z')),
);

/** Requests of each kind that a program sends; the first one binds. */
export const honest = (base: string, secret: string): Buffer[] => [
  messageOf(1, bindOf(base, secret)),
  messageOf(2, searchOf({ filter, base, scope: 'sub', attributes: ['*'] }), pageOf(5, '2 abc')),
  messageOf(
    3,
    element(requests.compare, octets(base), element(sequence, octets('cn'), octets('x'))),
  ),
  messageOf(4, whoAmI),
  messageOf(5, element(requests.modify, octets(base), element(sequence))),
  messageOf(6, element(requests.abandon, Buffer.from([2]))),
  messageOf(7, startTls),
];

/** Some bytes changed, cut out or doubled. */
export function mutated(bytes: Buffer): Buffer {
  let now = Buffer.from(bytes);
  for (let times = randomInt(1, 5); times > 0; times--) {
    const at = randomInt(0, Math.max(1, now.length));
    const kind = randomInt(0, 4);
    if (kind < 2) now[at] = randomInt(0, 256);
    else if (kind === 2)
      now = Buffer.concat([now.subarray(0, at), now.subarray(at + randomInt(1, 4))]);
    else
      now = Buffer.concat([
        now.subarray(0, at),
        now.subarray(0, randomInt(0, 40)),
        now.subarray(at),
      ]);
  }
  return now;
}

/** A filter of nearly as many parts as may be, which no index helps with and no entry decides early. */
export const heaviest = (): Buffer =>
  element(
    0xa0,
    ...Array.from({ length: 70 }, (_, index) => {
      const attribute = ['cn', 'mail', 'memberOf', 'sn', 'uid'][index % 5] ?? 'cn';
      const parts = element(sequence, octets(`none ${index}`, 0x81), octets('x', 0x81));
      return element(0xa2, element(0xa4, octets(attribute), parts));
    }),
  );

/** A filter in this many others. */
export function nested(depth: number): Buffer {
  let filter = present('objectClass');
  for (let level = 0; level < depth; level++) filter = element(0xa2, filter);
  return filter;
}
