import sharp from 'sharp';
import { expect, test } from 'vitest';
import {
  type Picture,
  type PictureUse,
  pictureLimits,
  readPicture,
} from '#lib/management/pictures.ts';
import { animation, photo, png } from '../support/pictures.ts';

async function drawn(bytes: Uint8Array, use: PictureUse = 'portrait'): Promise<Picture> {
  const picture = await readPicture(bytes, use);
  if ('fault' in picture) throw new Error(`The picture was refused: ${picture.fault}`);
  return picture;
}

test('an uploaded photo becomes a small upright square without its metadata', async () => {
  const taken = await photo(900, 1400);
  expect((await sharp(taken).metadata()).exif?.includes('Ada')).toBe(true);
  const { bytes, ...facts } = await drawn(taken);
  expect(facts).toEqual({ type: 'image/webp', width: 512, height: 512 });
  const left = await sharp(bytes).metadata();
  expect([left.exif, left.xmp, left.iptc, left.icc, left.orientation]).toEqual(
    Array(5).fill(undefined),
  );
  expect(Buffer.from(bytes).includes('Ada')).toBe(false);
});

test('an uploaded logo keeps its proportions, and a small picture is not enlarged', async () => {
  expect(await drawn(await photo(900, 300), 'logo')).toMatchObject({ width: 171, height: 512 });
  expect(await drawn(png(40, 20), 'logo')).toMatchObject({ width: 40, height: 20 });
  expect(await drawn(png(40, 20))).toMatchObject({ width: 20, height: 20 });
});

test('an icon is a PNG with a whole square, clear where the picture has nothing', async () => {
  const { bytes, ...facts } = await drawn(await photo(900, 300), 'icon');
  expect(facts).toEqual({ type: 'image/png', width: 192, height: 192 });
  const { channels } = await sharp(bytes)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
    .then(({ data }) => ({ channels: [data[3], data[(96 * 192 + 96) * 4 + 3]] }));
  expect(channels).toEqual([0, 255]);
  expect(await drawn(png(40, 20), 'icon')).toMatchObject({ width: 40, height: 40 });
});

test('an uploaded animation is reduced to its first frame', async () => {
  const { bytes } = await drawn(await animation());
  const { pages = 1 } = await sharp(bytes).metadata();
  const { dominant } = await sharp(bytes).stats();
  expect([pages, dominant.r > 200, dominant.b < 60]).toEqual([1, true, true]);
});

test.each([
  ['nothing', ''],
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ['HTML', '<!doctype html><script>alert(1)</script>'],
  ['TIFF', 'II*\0\x08\0\0\0'],
  ['something else in the same box', `RIFF\0\0\0\0WAVEfmt ${'\0'.repeat(20)}`],
])('%s is refused as an uploaded picture', async (_, text) => {
  expect(await readPicture(Buffer.from(text, 'latin1'), 'portrait')).toEqual({ fault: 'kind' });
});

test('an uploaded picture that is truncated, or has only the signature of one, is refused', async () => {
  const whole = await photo(300, 300);
  const half = whole.subarray(0, whole.length - 400);
  const script = Buffer.from('\x89PNG\r\n\x1a\n<script>alert(1)</script>', 'latin1');
  for (const bytes of [half, script, png(10, 10).subarray(0, 40)])
    expect(await readPicture(bytes, 'portrait')).toEqual({ fault: 'broken' });
});

test('a decompression bomb is refused as an uploaded picture before it is decoded', async () => {
  const bomb = png(30_000, 30_000);
  expect(bomb.length).toBeLessThan(100_000);
  const before = process.memoryUsage().rss;
  expect(await readPicture(bomb, 'portrait')).toEqual({ fault: 'pixels' });
  expect(process.memoryUsage().rss - before).toBeLessThan(100e6);
});

test('an uploaded picture is limited in size by its use, and of many at the same time some are refused', async () => {
  const heavy = Buffer.concat([png(10, 10), Buffer.alloc(pictureLimits.logoBytes)]);
  expect(await readPicture(heavy, 'logo')).toEqual({ fault: 'heavy' });
  expect(await readPicture(heavy, 'portrait')).toMatchObject({ width: 10 });
  const large = await photo(2000, 2000);
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => readPicture(large, 'portrait')),
  );
  expect(answers.filter((answer) => 'fault' in answer)).toEqual(Array(4).fill({ fault: 'busy' }));
  expect(await readPicture(large, 'portrait')).toHaveProperty('width', 512);
});
