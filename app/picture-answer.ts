import type { StoredPicture } from '#lib/store/pictures.ts';

/**
 * A picture that was uploaded: whatever its bytes are, a browser shows them as this picture or not
 * at all. Another picture has another address. `for-apps`: their pages may show it, and nobody but
 * the browser keeps it, so that a person who takes it away finds it gone.
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
