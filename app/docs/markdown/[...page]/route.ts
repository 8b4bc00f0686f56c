import { config } from '#lib/config.ts';
import { errorText } from '#lib/docs/error-text.ts';
import { fillPage } from '#lib/docs/fill.ts';
import { exampleValues, recipeText } from '#lib/docs/recipe-text.ts';
import { findPage } from '#lib/docs/shelf.ts';
import { pathOf } from '#lib/docs/source.ts';
import { findRecipe } from '#lib/recipes/list.ts';

type Context = { params: Promise<{ page: string[] }> };

/**
 * The Markdown source of a page, at the page's address with `.md` (rewritten by next.config.js).
 */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  const path = pathOf(`docs/${(await params).page.join('/')}.md`);
  const recipe = path.startsWith('recipes/')
    ? findRecipe(path.slice('recipes/'.length))
    : undefined;
  // As its page shows it: lines of a recipe depend on the address of the server.
  if (recipe)
    return new Response(recipeText(recipe, exampleValues(recipe, config().issuer)), { headers });
  const page = await findPage(path);
  const text = page?.markdown ?? errorText(path);
  if (text === null) return new Response('There is no such page.\n', { status: 404, headers });
  return new Response(page?.namesServer ? fillPage(text, config().issuer) : text, { headers });
}

const headers = { 'Content-Type': 'text/markdown; charset=utf-8', 'Cache-Control': 'no-store' };
