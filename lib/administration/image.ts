/** A picture that browsers show and never run, with what its own first bytes say of it. */
export type Image = { type: 'image/png' | 'image/jpeg' | 'image/webp'; bytes: Uint8Array; width: number; height: number };

export const imageLimits = { bytes: 256 * 1024, side: 2048 } as const;

/**
 * Reads a picture that somebody uploaded, going by its bytes and never by its name or the type it
 * came with; a sentence says what is wrong with it. SVG is refused: it can run script.
 */
export function readImage(bytes: Uint8Array): Image | { fault: string } {
  if (bytes.length > imageLimits.bytes) return { fault: `The picture has more than ${imageLimits.bytes / 1024} KB.` };
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = readPng(view) ?? readJpeg(view) ?? readWebp(view);
  if (!found) return { fault: 'This is no PNG, JPEG or WebP picture.' };
  const { width, height } = found;
  const fits = width >= 1 && height >= 1 && width <= imageLimits.side && height <= imageLimits.side;
  if (!fits) return { fault: `The picture measures ${width} × ${height} pixels; at most ${imageLimits.side} each way are fine.` };
  return { ...found, bytes };
}

type Found = Omit<Image, 'bytes'>;

function readPng(view: Buffer): Found | null {
  const signed = view.length >= 33 && view.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'));
  if (!signed || view.toString('latin1', 12, 16) !== 'IHDR') return null;
  return { type: 'image/png', width: view.readUInt32BE(16), height: view.readUInt32BE(20) };
}

/** The frame header (SOF) of a JPEG stands after any number of other segments. */
function readJpeg(view: Buffer): Found | null {
  if (view.length < 4 || view.readUInt16BE(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 < view.length && view[at] === 0xff; ) {
    const marker = view[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { type: 'image/jpeg', height: view.readUInt16BE(at + 5), width: view.readUInt16BE(at + 7) };
    at += marker === 0xff ? 1 : 2 + view.readUInt16BE(at + 2);
  }
  return null;
}

function readWebp(view: Buffer): Found | null {
  const named = view.length >= 30 && view.toString('latin1', 0, 4) === 'RIFF' && view.toString('latin1', 8, 12) === 'WEBP';
  if (!named) return null;
  const size = webpSize(view);
  return size && { type: 'image/webp', ...size };
}

function webpSize(view: Buffer): { width: number; height: number } | null {
  switch (view.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: view.readUInt16LE(26) & 0x3fff, height: view.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = view.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: view.readUIntLE(24, 3) + 1, height: view.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}
