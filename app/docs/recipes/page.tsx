import { longestQuery } from '#lib/docs/search.ts';
import { findPage } from '#lib/docs/shelf.ts';
import { recipeDocsWords as words } from '#lib/messages/docs.ts';
import { allRecipes } from '#lib/recipes/list.ts';
import type { Recipe } from '#lib/recipes/recipe.ts';
import { isSought } from '#lib/recipes/search.ts';
import { recipeKinds } from '#lib/recipes/shape.ts';
import { pageText } from '../../locale.ts';
import { queryValue, type SearchParams } from '../../params.ts';
import { Button } from '../../ui/button.tsx';
import { Input } from '../../ui/input.tsx';
import { DocsFrame } from '../frame.tsx';
import { PageText } from '../page-text.tsx';

type Props = { searchParams: SearchParams };

const path = '/docs/recipes';

export default async function RecipesPage({ searchParams }: Props) {
  const text = await pageText();
  const query =
    queryValue((await searchParams).q)
      ?.trim()
      .slice(0, longestQuery) ?? '';
  const found = allRecipes().filter((recipe) => isSought(recipe, query));
  const page = await findPage('recipes');
  return (
    <DocsFrame title={page?.title ?? ''} current={path}>
      {page && <PageText html={page.html} sections={[]} />}
      <search className="mt-8 block">
        <form action={path} className="flex max-w-xl gap-2">
          <Input
            type="search"
            name="q"
            aria-label={words.search}
            placeholder={words.search}
            defaultValue={query}
            maxLength={longestQuery}
            autoComplete="off"
            className="min-w-0"
          />
          <Button kind="secondary" className="shrink-0">
            {words.searchButton}
          </Button>
        </form>
      </search>
      <p role="status" className={query ? 'mt-4 text-sm text-ink-soft' : 'sr-only'}>
        {query &&
          (found.length > 0
            ? words.found(found.length)
            : text('connect.foundNone', { typed: query }))}
      </p>
      {recipeKinds.map((kind) => (
        <Group key={kind} kind={kind} group={found.filter((recipe) => recipe.kind === kind)} />
      ))}
    </DocsFrame>
  );
}

async function Group({ kind, group }: { kind: Recipe['kind']; group: readonly Recipe[] }) {
  const text = await pageText();
  if (group.length === 0) return null;
  return (
    <section aria-labelledby={`recipes-${kind}`} className="mt-8">
      <h2 id={`recipes-${kind}`} className="text-lg font-semibold tracking-tight">
        {text(`connect.groups.${kind}`)}
      </h2>
      <ul className="mt-3 grid gap-3 sm:grid-cols-2">
        {group.map(({ id, name, summary }) => (
          <li key={id} className="doc-first">
            <a href={`${path}/${id}`}>{name}</a>
            <span>{summary}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
