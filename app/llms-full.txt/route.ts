import { config } from '#lib/config.ts';
import { fillPage } from '#lib/docs/fill.ts';
import { readWhole } from '#lib/docs/shelf.ts';

/** The whole documentation in one file, for AI tools. */
export async function GET(): Promise<Response> {
  return new Response(fillPage(await readWhole(), config().issuer), {
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  });
}
