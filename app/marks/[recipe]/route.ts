import { markPicture } from '#lib/marks/mark.ts';

type Context = { params: Promise<{ recipe: string }> };

/** The mark of a program or stack that has a recipe. */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  const picture = markPicture((await params).recipe);
  if (picture === null)
    return new Response(null, { status: 404, headers: { 'Cache-Control': 'no-store' } });
  return new Response(picture, {
    headers: {
      'Content-Type': 'image/svg+xml',
      'X-Content-Type-Options': 'nosniff',
      // The style in the file is ours; opened as a page, the file can do nothing else.
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Cache-Control': 'public, max-age=604800',
    },
  });
}
