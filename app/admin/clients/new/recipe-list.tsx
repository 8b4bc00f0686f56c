import { markInSheet } from '#lib/marks/mark.ts';
import type { Text } from '#lib/messages/text.ts';
import { allRecipes } from '#lib/recipes/list.ts';
import type { Recipe } from '#lib/recipes/recipe.ts';
import { isSought } from '#lib/recipes/search.ts';
import { recipeKinds } from '#lib/recipes/shape.ts';
import { pageText } from '../../../locale.ts';
import { AppMark } from '../../../ui/app-mark.tsx';
import { Button } from '../../../ui/button.tsx';
import { Hidden } from '../../../ui/hidden.tsx';
import { Input } from '../../../ui/input.tsx';
import { isDrawn, KindMark } from '../../../ui/kind-mark.tsx';
import { hrefOf } from '../../ui/href.ts';
import { QuickLink } from '../../ui/quick-link.tsx';
import type { Carried } from './carried.ts';

type Choice = Pick<Recipe, 'id' | 'name' | 'kind' | 'summary' | 'names'> & { picture?: string };

const path = '/admin/clients/new';

type Props = { search: string; carried: Carried };

/**
 * What can be connected, in groups. The search filters while the user types (`public/live.js`), or
 * without scripts on Enter.
 */
export async function RecipeList({ search, carried }: Props) {
  const text = await pageText();
  const shown = allRecipes()
    .filter((recipe) => isSought(recipe, search))
    .map((recipe): Choice => ({ ...recipe, picture: markInSheet(recipe.id) }));
  const kinds = kindsFor(text, search);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <search>
        <form id="find-app" action={path} className="flex max-w-xl flex-wrap gap-3">
          <Hidden fields={carried} />
          <Input
            type="search"
            name="q"
            aria-label={text('connect.search')}
            placeholder={text('connect.search')}
            defaultValue={search}
            maxLength={100}
            autoComplete="off"
            className="min-w-0 flex-1 basis-52"
          />
          <noscript>
            <Button kind="secondary">{text('connect.searchSubmit')}</Button>
          </noscript>
        </form>
      </search>
      <div
        id="found"
        data-live={path}
        data-typed="#find-app input"
        className="grid grid-cols-[minmax(0,1fr)] gap-6"
      >
        <Said count={shown.length + kinds.length} search={search} />
        {recipeKinds.map((kind) => (
          <Group
            key={kind}
            kind={kind}
            recipes={shown.filter((recipe) => recipe.kind === kind)}
            kinds={kinds}
            carried={carried}
          />
        ))}
      </div>
    </div>
  );
}

/** What else people call the programs that get no tokens. */
const otherNames = {
  guarded: 'reverse forward auth nginx traefik caddy haproxy apache envoy kubernetes ingress',
  ldap: 'active directory nas synology truenas opnsense pfsense sssd dovecot postfix printer',
} as const;

/** The kinds of programs that get no tokens, as far as they are looked for. */
const kindsFor = (text: Text, search: string) =>
  (['guarded', 'ldap'] as const)
    .map((id) => ({
      id,
      name: text(`clients.kinds.${id}.label`),
      summary: text(`connect.kinds.${id}`),
      names: otherNames[id],
    }))
    .filter((kind) => isSought(kind, search));

/** Says how many were found. */
async function Said({ count, search }: { count: number; search: string }) {
  const text = await pageText();
  const none = search && count === 0;
  return (
    <p id="found-count" role="status" className="text-sm text-ink-soft empty:sr-only">
      {none ? (
        <>
          <span className="block text-base font-semibold text-ink">
            {text('connect.foundNone', { typed: search })}
          </span>
          <span className="text-base">{text('connect.foundNoneText')}</span>
        </>
      ) : (
        search && text('connect.found', { count })
      )}
    </p>
  );
}

type GroupProps = {
  kind: Choice['kind'];
  recipes: readonly Choice[];
  kinds: ReturnType<typeof kindsFor>;
  carried: Carried;
};

async function Group({ kind, recipes, kinds, carried }: GroupProps) {
  const text = await pageText();
  if (recipes.length === 0 && kind !== 'plain') return null;
  return (
    <section id={`group-${kind}`} aria-labelledby={`${kind}-title`}>
      <h2 id={`${kind}-title`} className="mb-3 text-lg font-semibold tracking-tight">
        {text(`connect.groups.${kind}`)}
      </h2>
      <ul
        id={`${kind}-apps`}
        className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,15rem),1fr))] gap-3"
      >
        {recipes.map((recipe) => (
          <ChoiceCard
            key={recipe.id}
            id={recipe.id}
            name={recipe.name}
            summary={recipe.summary}
            picture={recipe.picture}
            href={hrefOf(path, { ...carried, recipe: recipe.id })}
          />
        ))}
        {kind === 'plain' &&
          kinds.map(({ id, name, summary }) => (
            <ChoiceCard
              key={id}
              id={id}
              href={hrefOf(path, { ...carried, kind: id })}
              name={name}
              summary={summary}
            />
          ))}
        {kind === 'plain' && (
          <ChoiceCard
            id="web"
            href={hrefOf(path, { ...carried, kind: 'web' })}
            name={text('connect.elseLabel')}
            summary={text('connect.elseText')}
          />
        )}
      </ul>
    </section>
  );
}

type CardProps = Pick<Choice, 'id' | 'name' | 'summary' | 'picture'> & { href: string };

function ChoiceCard({ id, href, name, summary, picture }: CardProps) {
  return (
    <li id={`app-${id}`}>
      <QuickLink
        href={href}
        className="flex h-full items-center gap-3 rounded-xl border border-line bg-surface px-4 py-3 hover:border-ink"
      >
        {isDrawn(id) ? (
          <KindMark kind={id} className="size-9" />
        ) : (
          <AppMark id={id} name={name} image={picture} className="size-9 text-base" />
        )}
        <span className="min-w-0">
          <span className="block font-semibold wrap-anywhere">{name}</span>
          <span className="block text-sm text-ink-soft">{summary}</span>
        </span>
      </QuickLink>
    </li>
  );
}
