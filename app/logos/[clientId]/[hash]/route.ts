import { findLogo } from '#lib/store/logos.ts';

type Context = { params: Promise<{ clientId: string; hash: string }> };

/** A client's logo. It was uploaded: whatever its bytes are, a browser shows them as this picture or not at all. */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  const { clientId, hash } = await params;
  const logo = await findLogo(clientId, hash);
  if (!logo) return new Response(null, { status: 404, headers: { 'Cache-Control': 'no-store' } });
  return new Response(new Uint8Array(logo.bytes), {
    headers: {
      'Content-Type': logo.type,
      'Content-Length': String(logo.bytes.length),
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cross-Origin-Resource-Policy': 'same-origin',
      // Another picture has another address.
      'Cache-Control': 'public, max-age=31536000, immutable',
    },
  });
}
