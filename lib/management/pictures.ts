import type { BrandPicture } from '../brand.ts';
import { type Sentence, sentence } from '../messages/sentence.ts';
import { digest } from '../oauth/secrets.ts';
import { once } from '../once.ts';
import { waitsFor } from '../store/engine/transaction.ts';

/** A re-encoded picture: only the pixels of the upload are kept. */
export type Picture = { type: PictureType; bytes: Uint8Array; width: number; height: number };
type PictureType = 'image/webp' | 'image/png';

/** What a picture is for. */
export type PictureUse = 'portrait' | 'logo' | 'icon';

export type PictureFault = 'heavy' | 'kind' | 'pixels' | 'broken' | 'busy';

/** How a picture of the server is drawn. */
export const drawnAs = (which: BrandPicture) => (which === 'icon' ? 'icon' : 'logo');

/**
 * Upload limits in bytes and output sizes in pixels. Logos are uploaded by a server action, which
 * accepts no more.
 */
export const pictureLimits = {
  portraitBytes: 2 * 1024 * 1024,
  logoBytes: 512 * 1024,
  pixels: 32_000_000,
  side: 512,
  iconSide: 192,
} as const;

/** Recognises formats by magic bytes, never by name. Nothing else is tried, least of all SVG. */
function isPicture(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  const begins = ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'GIF87a', 'GIF89a'].some((mark) =>
    text.startsWith(mark),
  );
  return begins || (text.startsWith('RIFF') && text.endsWith('WEBP'));
}

/** The only decoders allowed in this process, whatever a file claims to be. */
const decoders = ['JpegBuffer', 'PngBuffer', 'WebpBuffer', 'NsgifBuffer'].map(
  (name) => `VipsForeignLoad${name}`,
);

/**
 * Re-encodes an uploaded picture: upright, not animated, at most 512 pixels each way, without
 * metadata such as the location. A portrait is cropped to its central square; a logo keeps its
 * shape; an icon becomes a square with clear edges, as PNG, which every browser has in tabs.
 */
export async function readPicture(
  bytes: Uint8Array,
  use: PictureUse,
): Promise<Picture | { fault: PictureFault }> {
  waitsFor('a picture');
  const most = use === 'portrait' ? pictureLimits.portraitBytes : pictureLimits.logoBytes;
  if (bytes.length > most) return { fault: 'heavy' };
  if (!isPicture(bytes)) return { fault: 'kind' };
  return oneAtATime(() => redraw(bytes, use));
}

async function redraw(
  bytes: Uint8Array,
  use: PictureUse,
): Promise<Picture | { fault: PictureFault }> {
  // Loaded on first use: without its binary only pictures are unavailable.
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: decoders });
  sharp.concurrency(1);
  sharp.cache(false);
  try {
    const source = sharp(bytes, { limitInputPixels: pictureLimits.pixels, failOn: 'error' })
      .autoOrient()
      .timeout({ seconds: 10 });
    const { width, height } = await source.metadata();
    const { side, fit } = frameOf(use, width, height);
    const sized = source.resize(side, side, {
      fit,
      background: { r: 0, g: 0, b: 0, alpha: 0 },
      withoutEnlargement: fit !== 'contain',
    });
    const written =
      use === 'icon' ? sized.png() : sized.webp({ quality: 88, smartSubsample: true });
    const { data, info } = await written.toBuffer({ resolveWithObject: true });
    const type = use === 'icon' ? 'image/png' : 'image/webp';
    return { type, bytes: data, width: info.width, height: info.height };
  } catch (error) {
    return { fault: /pixel limit/i.test(String(error)) ? 'pixels' : 'broken' };
  }
}

/** The square that a picture is fitted into. Only an icon fills it, and no picture grows. */
function frameOf(use: PictureUse, width: number, height: number) {
  const { side, iconSide } = pictureLimits;
  if (use === 'portrait') return { side: Math.min(side, width, height), fit: 'cover' } as const;
  if (use === 'logo') return { side, fit: 'inside' } as const;
  return { side: Math.min(iconSide, Math.max(width, height)), fit: 'contain' } as const;
}

/** Decoding needs a lot of memory: one picture at a time, with a bounded queue. */
async function oneAtATime<T>(work: () => Promise<T>): Promise<T | { fault: PictureFault }> {
  const queue = once('pictures', () => ({ waiting: 0, last: Promise.resolve<unknown>(null) }));
  if (queue.waiting >= 8) return { fault: 'busy' };
  queue.waiting += 1;
  const mine = queue.last.then(work, work).finally(() => {
    queue.waiting -= 1;
  });
  queue.last = mine.catch(() => {});
  return mine;
}

/** Content hash of a logo, so a new picture gets a new address. */
export function logoHash(bytes: Uint8Array): string {
  return digest(Buffer.from(bytes).toString('base64')).slice(0, 22);
}

export const logoFaults: Record<PictureFault, Sentence> = {
  heavy: sentence('refused.picture.heavy', { most: String(pictureLimits.logoBytes / 1024) }),
  kind: sentence('refused.picture.kind'),
  pixels: sentence('refused.picture.pixels', { most: String(pictureLimits.pixels / 1e6) }),
  broken: sentence('refused.picture.broken'),
  busy: sentence('refused.picture.busy'),
};
