import { accentStyles, isColour } from '#lib/colours.ts';

/** The address contains the accent, so browsers may cache the answer for ever. */
export function accentAnswer(digits: string, where: ':root' | '.gh-of-app'): Response {
  const accent = `#${digits}`;
  if (!isColour(accent))
    return new Response(null, { status: 404, headers: { 'Cache-Control': 'no-store' } });
  return new Response(accentStyles(accent, where), {
    headers: {
      'Content-Type': 'text/css; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'public, max-age=31536000, immutable',
    },
  });
}
