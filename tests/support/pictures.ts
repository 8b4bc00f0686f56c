import { crc32, deflateSync } from 'node:zlib';

/** A real PNG of one grey. */
export function png(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 0, 0, 0, 0], 8);
  const pixels = Buffer.alloc(Math.min(height, 4000) * (Math.min(width, 4000) + 1), 0x80);
  for (let row = 0; row < height && row < 4000; row += 1) pixels[row * (width + 1)] = 0;
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** The beginning of a JPEG, as far as its frame header. */
export function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0, 0xff, 0xd9]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'), frame]);
}

/** The beginning of a WebP in one of its three forms. */
export function webp(form: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): Buffer {
  const bytes = Buffer.alloc(40);
  bytes.write('RIFF', 0, 'latin1');
  bytes.write(`WEBP${form}`, 8, 'latin1');
  if (form === 'VP8 ') bytes.writeUInt16LE(width, 26);
  if (form === 'VP8 ') bytes.writeUInt16LE(height, 28);
  if (form === 'VP8L') bytes.writeUInt32LE((width - 1) | ((height - 1) << 14), 21);
  if (form === 'VP8X') bytes.writeUIntLE(width - 1, 24, 3);
  if (form === 'VP8X') bytes.writeUIntLE(height - 1, 27, 3);
  return bytes;
}
