import { randomBytes, randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { reserveFetch } from '#lib/registration/fetch-limits.ts';
import { onEachDatabase } from '../support/on-each-database.ts';

const newHost = () => `${randomBytes(6).toString('hex')}.example`;
const part = () => randomInt(1, 0xffff).toString(16);

/** Gives each test a new minute, in which the counts of the earlier ones are over. */
let minutes = 0;
function nextMinute(): Date {
  minutes += 1;
  return new Date(Date.now() + minutes * 60_000);
}

async function fetched(
  host: string,
  address: string,
  at: Date,
  budget?: 'admins',
): Promise<boolean> {
  const place = await reserveFetch(host, { address, isShared: false }, at, budget);
  if (place && 'giveBack' in place) place.giveBack();
  return place !== null && 'giveBack' in place;
}

onEachDatabase(() => {
  test('a network that fetches too many client documents does not use up a host’s limit for others', async () => {
    const [host, at] = [newHost(), nextMinute()];
    const address = `2001:db8:${part()}:${part()}::/64`;
    for (let count = 0; count < 60; count += 1)
      expect(await fetched(newHost(), address, at)).toBe(true);
    for (let count = 0; count < 40; count += 1)
      expect(await fetched(host, address, at)).toBe(false);
    expect(await fetched(host, `2001:db8:${part()}:${part()}::/64`, at)).toBe(true);
  });

  test('fetches for unverified clients do not use up the limits of clients that admins made', async () => {
    const [host, at] = [newHost(), nextMinute()];
    const newAddress = () => `2001:db8:${part()}:${part()}::/64`;
    for (let count = 0; count < 30; count += 1)
      expect(await fetched(host, newAddress(), at)).toBe(true);
    expect(await fetched(host, newAddress(), at)).toBe(false);
    expect(await fetched(host, newAddress(), at, 'admins')).toBe(true);
    const address = newAddress();
    for (let count = 0; count < 61; count += 1) await fetched(newHost(), address, at);
    expect(await fetched(newHost(), address, at)).toBe(false);
    expect(await fetched(newHost(), address, at, 'admins')).toBe(true);
  });

  test('the /64 networks of one /48 site share one limit of client document fetches', async () => {
    const site = `2001:db8:${part()}`;
    let allowed = 0;
    for (let minute = 0; minute < 3; minute += 1) {
      const at = nextMinute();
      for (let count = 0; count < 80; count += 1)
        if (
          await fetched(
            newHost(),
            `${site}:ff${(count + 80 * minute).toString(16).padStart(2, '0')}::/64`,
            at,
          )
        )
          allowed += 1;
    }
    expect(allowed).toBe(180);
  });
});
