import { randomUUID } from 'node:crypto';
import { type HttpRequest, nothingKnown } from '../http/message.ts';
import { devices } from './cast.ts';
import type { Chance } from './chance.ts';

const day = 24 * 3600_000;

/** Some time in the week, more often by day than at night, and less often at the weekend. */
export function randomMoment(chance: Chance, until: Date): Date {
  for (;;) {
    const at = new Date(until.getTime() - Math.floor(chance.next() * 7 * day));
    const busy = Math.sin(((at.getUTCHours() - 5) / 24) * 2 * Math.PI) * 0.45 + 0.55;
    const weekend = at.getUTCDay() % 6 === 0 ? 0.45 : 1;
    if (chance.next() < busy * weekend) return at;
  }
}

/** The address that a request came from, and the request's id. */
export const whereFrom = (chance: Chance) => {
  const { address, id: requestId } = requestOf(chance);
  return { address, requestId };
};

/** A request from a person's home; the addresses are from RFC 5737. */
export function requestOf(chance: Chance): HttpRequest {
  const agent = chance.pick(devices);
  return {
    method: 'POST',
    path: '/login/submit',
    query: '',
    id: randomUUID(),
    address: `${chance.pick(['192.0.2', '198.51.100', '203.0.113'])}.${chance.between(1, 254)}`,
    isShared: false,
    header: (name) => (name === 'user-agent' ? agent : undefined),
    repeatsAuthorization: () => false,
    body: async () => new Uint8Array(),
    about: nothingKnown(),
  };
}
