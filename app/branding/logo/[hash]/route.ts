import { findBrandLogo } from '#lib/store/branding.ts';

type Context = { params: Promise<{ hash: string }> };

/** This server's own picture. It was uploaded: whatever its bytes are, a browser shows them as this picture or not at all. */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  const logo = await findBrandLogo((await params).hash);
  if (!logo) return new Response(null, { status: 404, headers: { 'Cache-Control': 'no-store' } });
  return new Response(new Uint8Array(logo.bytes), {
    headers: {
      'Content-Type': logo.type,
      'Content-Length': String(logo.bytes.length),
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Cache-Control': 'public, max-age=31536000, immutable',
    },
  });
}
