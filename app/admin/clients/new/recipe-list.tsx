'use client';

import { useState } from 'react';
import type { Recipe } from '#lib/recipes/recipe.ts';
import { AppMark } from '../../../ui/app-mark.tsx';
import { useText } from '../../../ui/browser-text.tsx';
import { Button } from '../../../ui/button.tsx';
import { Input } from '../../../ui/input.tsx';
import { isDrawn, KindMark } from '../../../ui/kind-mark.tsx';
import { hrefOf } from '../../ui/href.ts';
import { QuickLink } from '../../ui/quick-link.tsx';
import type { Carried } from './carried.ts';

type Choice = Pick<Recipe, 'id' | 'name' | 'kind' | 'summary'> & { picture?: string };

const path = '/admin/clients/new';
const kinds = ['program', 'stack', 'plain'] as const;

/** What can be connected, in groups. The search filters as one types; without scripts it asks the server. */
export function RecipeList({
  recipes,
  search,
  carried,
}: {
  recipes: readonly Choice[];
  search: string;
  carried: Carried;
}) {
  const text = useText();
  const [typed, setTyped] = useState(search);
  const shown = recipes.filter((recipe) => matches(recipe, typed));
  const other = hrefOf(path, { ...carried, kind: 'web' });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <search>
        <form action={path} className="flex max-w-xl flex-wrap gap-3">
          {Object.entries(carried).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <Input
            type="search"
            name="q"
            aria-label={text('connect.search')}
            placeholder={text('connect.search')}
            defaultValue={search}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
            maxLength={100}
            autoComplete="off"
            className="min-w-0 flex-1 basis-52"
          />
          <noscript>
            <Button kind="secondary">{text('connect.searchSubmit')}</Button>
          </noscript>
        </form>
      </search>
      <p role="status" className={typed && shown.length > 0 ? 'text-sm text-ink-soft' : 'sr-only'}>
        {typed &&
          (shown.length > 0
            ? text('connect.found', { count: shown.length })
            : text('connect.foundNone', { typed }))}
      </p>
      {shown.length === 0 && (
        <p aria-hidden="true">
          <span className="block font-semibold">{text('connect.foundNone', { typed })}</span>
          <span className="text-ink-soft">{text('connect.foundNoneText')}</span>
        </p>
      )}
      {kinds.map((kind) => {
        const group = shown.filter((recipe) => recipe.kind === kind);
        const cards = group.map((recipe) => (
          <ChoiceCard
            key={recipe.id}
            {...recipe}
            href={hrefOf(path, { ...carried, recipe: recipe.id })}
          />
        ));
        if (kind === 'plain')
          cards.push(
            <ChoiceCard
              key=""
              id="web"
              href={other}
              name={text('connect.elseLabel')}
              summary={text('connect.elseText')}
            />,
          );
        if (cards.length === 0) return null;
        return (
          <section key={kind} aria-labelledby={`group-${kind}`}>
            <h2 id={`group-${kind}`} className="mb-3 text-lg font-semibold tracking-tight">
              {text(`connect.groups.${kind}`)}
            </h2>
            <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,15rem),1fr))] gap-3">
              {cards}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

/** Each word that was typed begins a word of the name or of the summary, or is in the name. */
function matches({ name, summary }: Choice, typed: string): boolean {
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const text = ` ${name} ${summary}`.toLowerCase();
  return wanted.every((word) => text.includes(` ${word}`) || name.toLowerCase().includes(word));
}

type CardProps = Omit<Choice, 'kind'> & { href: string };

function ChoiceCard({ id, href, name, summary, picture }: CardProps) {
  return (
    <li>
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
