import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** A real PNG in a single shade of grey. */
export function png(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 0, 0, 0, 0], 8);
  const pixels = Buffer.alloc(Math.min(height, 4000) * (Math.min(width, 4000) + 1), 0x80);
  for (let row = 0; row < height && row < 4000; row += 1) pixels[row * (width + 1)] = 0;
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A photo like those of a phone: stored sideways, with the place where it was taken. */
export function photo(width: number, height: number): Promise<Buffer> {
  const pixels = { width, height, channels: 3 as const, background: '#c06030' };
  return sharp({ create: pixels })
    .withMetadata({ orientation: 6 })
    .withExifMerge({
      IFD0: { Copyright: 'Ada' },
      IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' },
    })
    .jpeg()
    .toBuffer();
}

/** An animation of two pictures: red, then blue. */
export async function animation(): Promise<Buffer> {
  const frame = (background: string) =>
    sharp({ create: { width: 60, height: 40, channels: 3, background } })
      .png()
      .toBuffer();
  return sharp([await frame('#ff0000'), await frame('#0000ff')], { join: { animated: true } })
    .gif()
    .toBuffer();
}
