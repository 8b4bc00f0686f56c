import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { macWith } from '#lib/oauth/mac.ts';

test.each([1, 32, 63, 64])('HMAC with a key of %i bytes conforms to RFC 2104', (length) => {
  const key = randomBytes(length);
  const mac = macWith(key);
  for (const size of [0, 1, 60, 511, 512, 513, 6000, 60, 0]) {
    const message = randomBytes(size);
    const expected = createHmac('sha256', key).update(message).digest('hex');
    expect(Buffer.from(mac(message), 'latin1').toString('hex'), `${size} bytes`).toBe(expected);
  }
});

test('HMAC with a key longer than a block is refused', () => {
  expect(() => macWith(randomBytes(65))).toThrow('The key has 65 bytes, over 64.');
});
