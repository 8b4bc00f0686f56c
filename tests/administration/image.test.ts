import { expect, test } from 'vitest';
import { imageLimits, readImage } from '#lib/administration/image.ts';
import { jpeg, png, webp } from '../support/pictures.ts';

test.each([
  ['PNG', png(64, 32), 'image/png'],
  ['JPEG', jpeg(64, 32), 'image/jpeg'],
  ['lossy WebP', webp('VP8 ', 64, 32), 'image/webp'],
  ['lossless WebP', webp('VP8L', 64, 32), 'image/webp'],
  ['extended WebP', webp('VP8X', 64, 32), 'image/webp'],
])('a %s picture is known by its bytes, with its measures', (_, bytes, type) => {
  expect(readImage(bytes)).toEqual({ type, bytes, width: 64, height: 32 });
});

test.each([
  ['nothing', ''],
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ['HTML', '<!doctype html><script>alert(1)</script>'],
  ['a GIF', 'GIF89a\x01\0\x01\0\0\0\0;'],
  ['a PNG that breaks off', '\x89PNG\r\n\x1a\n'],
  ['a JPEG that breaks off', '\xff\xd8\xff\xe0\0\x10JFIF'],
  ['a WebP of an unknown kind', `RIFF\0\0\0\0WEBPVP9 ${'\0'.repeat(20)}`],
])('%s is refused in a sentence', (_, text) => {
  expect(readImage(Buffer.from(text, 'latin1'))).toEqual({ fault: 'This is no PNG, JPEG or WebP picture.' });
});

test('what is too large, in bytes or in pixels, is refused', () => {
  const heavy = Buffer.concat([png(10, 10), Buffer.alloc(imageLimits.bytes)]);
  expect(readImage(heavy)).toEqual({ fault: 'The picture has more than 256 KB.' });
  expect(readImage(png(2049, 10))).toHaveProperty('fault', expect.stringContaining('2049 × 10'));
  expect(readImage(jpeg(10, 60_000))).toHaveProperty('fault');
  expect(readImage(png(0, 10))).toHaveProperty('fault');
});
