import { config } from '#lib/config.ts';
import { errorText } from '#lib/docs/error-text.ts';
import { fillPage } from '#lib/docs/fill.ts';
import { findPage } from '#lib/docs/shelf.ts';
import { pathOf } from '#lib/docs/source.ts';

type Context = { params: Promise<{ page: string[] }> };

/**
 * The Markdown source of a page, at the page's address with `.md` (rewritten by next.config.js).
 */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  const path = pathOf(`docs/${(await params).page.join('/')}.md`);
  const page = await findPage(path);
  const text = page?.markdown ?? errorText(path);
  if (text === null) return new Response('There is no such page.\n', { status: 404, headers });
  return new Response(page?.namesServer ? fillPage(text, config().issuer) : text, { headers });
}

const headers = { 'Content-Type': 'text/markdown; charset=utf-8', 'Cache-Control': 'no-store' };
