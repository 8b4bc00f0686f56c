import { config } from '#lib/config.ts';
import { llmsText } from '#lib/docs/llms.ts';
import { readContents } from '#lib/docs/shelf.ts';

/** The pages of the documentation, for AI tools. */
export async function GET(): Promise<Response> {
  return new Response(llmsText(await readContents(), config().issuer), {
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  });
}
