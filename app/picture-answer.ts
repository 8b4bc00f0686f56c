import type { StoredPicture } from '#lib/store/pictures.ts';

/**
 * Serves an uploaded picture. Whatever its bytes are, a browser shows them as this image type or
 * not at all. The address contains the hash. With `for-apps`, other sites may embed the picture,
 * and only the browser may cache it, so a removed picture is gone.
 */
export function pictureAnswer(
  picture: StoredPicture | null,
  use: 'our-pages' | 'for-apps',
): Response {
  if (!picture)
    return new Response(null, { status: 404, headers: { 'Cache-Control': 'no-store' } });
  return new Response(new Uint8Array(picture.bytes), {
    headers: {
      'Content-Type': picture.type,
      'Content-Length': String(picture.bytes.length),
      'Content-Disposition': 'inline; filename="picture"',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cross-Origin-Resource-Policy': use === 'for-apps' ? 'cross-origin' : 'same-origin',
      'Cache-Control': `${use === 'for-apps' ? 'private' : 'public'}, max-age=31536000, immutable`,
    },
  });
}
