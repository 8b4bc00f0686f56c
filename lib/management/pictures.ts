import { digest } from '../oauth/secrets.ts';
import { once } from '../once.ts';

/** A picture of our own making: of what was uploaded only its pixels are left. */
export type Picture = { type: 'image/webp'; bytes: Uint8Array; width: number; height: number };

export type PictureFault = 'heavy' | 'kind' | 'pixels' | 'broken' | 'busy';

/** What may be uploaded, in bytes, and what is made of it, in pixels. Logos come by server actions, which take no more. */
export const pictureLimits = {
  portraitBytes: 2 * 1024 * 1024,
  logoBytes: 512 * 1024,
  pixels: 32_000_000,
  side: 512,
} as const;

/** By how it begins, never by what it is called: no other format is even tried, SVG least of all. */
function isPicture(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  const begins = ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'GIF87a', 'GIF89a'].some((mark) =>
    text.startsWith(mark),
  );
  return begins || (text.startsWith('RIFF') && text.endsWith('WEBP'));
}

/** Decoders that may run in this process at all, whatever a file says of itself. */
const decoders = ['JpegBuffer', 'PngBuffer', 'WebpBuffer', 'NsgifBuffer'].map(
  (name) => `VipsForeignLoad${name}`,
);

/**
 * Reads a picture that somebody uploaded and makes it anew, upright, still, at most 512 pixels each
 * way, without anything that is not seen: where a photo was taken is nobody's business. A portrait
 * becomes a square of its middle; a logo keeps its shape.
 */
export async function readPicture(
  bytes: Uint8Array,
  use: 'portrait' | 'logo',
): Promise<Picture | { fault: PictureFault }> {
  const most = use === 'logo' ? pictureLimits.logoBytes : pictureLimits.portraitBytes;
  if (bytes.length > most) return { fault: 'heavy' };
  if (!isPicture(bytes)) return { fault: 'kind' };
  return oneAtATime(() => redraw(bytes, use));
}

async function redraw(
  bytes: Uint8Array,
  use: 'portrait' | 'logo',
): Promise<Picture | { fault: PictureFault }> {
  // Loaded when first needed: where its binary is missing, only pictures are.
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
    const side = Math.min(pictureLimits.side, ...(use === 'portrait' ? [width, height] : []));
    const { data, info } = await source
      .resize(side, side, {
        fit: use === 'portrait' ? 'cover' : 'inside',
        withoutEnlargement: true,
      })
      .webp({ quality: 88, smartSubsample: true })
      .toBuffer({ resolveWithObject: true });
    return { type: 'image/webp', bytes: data, width: info.width, height: info.height };
  } catch (error) {
    return { fault: /pixel limit/i.test(String(error)) ? 'pixels' : 'broken' };
  }
}

/** A large picture takes much memory while it is open: one at a time, and not too many that wait. */
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

/** Names a logo: another picture has another address. */
export function logoHash(bytes: Uint8Array): string {
  return digest(Buffer.from(bytes).toString('base64')).slice(0, 22);
}

/** What is wrong with a logo, for an admin. */
export function logoFault(fault: PictureFault): string {
  switch (fault) {
    case 'heavy':
      return `The picture has more than ${pictureLimits.logoBytes / 1024} KB.`;
    case 'kind':
      return 'This is no PNG, JPEG, WebP or GIF picture.';
    case 'pixels':
      return `The picture has more than ${pictureLimits.pixels / 1e6} million pixels.`;
    case 'broken':
      return 'This picture is damaged: it cannot be read to its end.';
    case 'busy':
      return 'Many pictures are being uploaded just now. Try again in a moment.';
  }
}
