import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, expect, test } from 'vitest';
import { lookAt } from '#lib/registration/documents.ts';
import { madeAs } from '../support/made.ts';
import { onDatabase } from '../support/on-each-database.ts';

const { lookup } = dns;
let lookUps = 0;
dns.lookup = ((_host: string, _options: object, done: (error: Error) => void) => {
  lookUps += 1;
  setTimeout(done, 5, new Error('no such name'));
}) as unknown as typeof dns.lookup;
syncBuiltinESMExports();
afterAll(() => {
  dns.lookup = lookup;
  syncBuiltinESMExports();
});

const minute = (n: number) => new Date(Date.UTC(2026, 0, 1, 0, n));
/** Each from another address, because the limit for one network has its own test. */
let lookers = 0;
function look(host: string, at: Date, path = 'app.json') {
  lookers += 1;
  const address = `10.0.${lookers >> 8}.${lookers & 255}`;
  return lookAt(`https://${host}/${path}`, null, { address, isShared: false }, at);
}
const kindOf = async (looking: ReturnType<typeof look>) => {
  const seen = await looking;
  return 'fault' in seen ? seen.fault.kind : 'document';
};

onDatabase('sqlite', () => {
  test('a client metadata document is fetched only once at a time, and not again within a minute', async () => {
    lookUps = 0;
    const all = await Promise.all(
      Array.from({ length: 50 }, () => kindOf(look('one.example', minute(0)))),
    );
    expect(new Set(all)).toEqual(new Set(['unreachable']));
    expect(await kindOf(look('one.example', minute(0)))).toBe('unreachable');
    expect(lookUps).toBe(1);
    await look('one.example', minute(1));
    expect(lookUps).toBe(2);
  });

  test('at most four client metadata documents of one host are fetched at a time, and thirty in a minute', async () => {
    lookUps = 0;
    const at = minute(2);
    const kinds = await Promise.all(
      Array.from({ length: 10 }, (_, n) => kindOf(look('many.example', at, `${n}`))),
    );
    expect([lookUps, kinds.filter((kind) => kind === 'busy').length]).toEqual([4, 6]);
    for (let n = 10; n < 60; n += 1) await look('many.example', at, `${n}`);
    expect(lookUps).toBe(30);
    expect(await kindOf(look('other.example', at))).toBe('unreachable');
  });

  test('at most twelve client metadata documents are fetched at a time, and three hundred in a minute', async () => {
    lookUps = 0;
    const at = minute(3);
    const ofHosts = (count: number, name: string) =>
      Promise.all(Array.from({ length: count }, (_, n) => kindOf(look(`${name}${n}.example`, at))));
    expect((await ofHosts(20, 'a')).filter((kind) => kind === 'busy')).toHaveLength(8);
    for (let round = 0; round < 40; round += 1) await ofHosts(10, `b${round}-`);
    expect(lookUps).toBe(300);
  });

  test('the number of remembered client metadata documents is limited', async () => {
    const held = () => {
      const memory = madeAs('client-documents') as { held: Map<string, unknown> } | undefined;
      return memory?.held.size;
    };
    for (let n = 0; n < 1500; n += 10) {
      const at = minute(10 + Math.floor(n / 250));
      await Promise.all(Array.from({ length: 10 }, (_, m) => look(`c${n + m}.example`, at)));
    }
    expect(held()).toBe(1000);
  });
});
