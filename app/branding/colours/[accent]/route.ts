import { accentStyles, isColour } from '#lib/colours.ts';

type Context = { params: Promise<{ accent: string }> };

/**
 * The colours derived from an accent. The address contains the accent, so browsers may cache it for
 * good.
 */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  const accent = `#${(await params).accent}`;
  if (!isColour(accent))
    return new Response(null, { status: 404, headers: { 'Cache-Control': 'no-store' } });
  return new Response(accentStyles(accent), {
    headers: {
      'Content-Type': 'text/css; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'public, max-age=31536000, immutable',
    },
  });
}
