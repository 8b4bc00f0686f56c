import { notFound } from 'next/navigation';
import { clientKinds } from '#lib/management/client/client-kinds.ts';
import { newId } from '#lib/oauth/secrets.ts';
import { findRecipe } from '#lib/recipes/list.ts';
import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { knownOption, readParams, type SearchParams } from '../../../params.ts';
import { AdminPage } from '../../ui/admin-page.tsx';
import { carriedFrom } from './carried.ts';
import { KindPage } from './kind-page.tsx';
import { RecipeList } from './recipe-list.tsx';
import { RecipePage } from './recipe-page.tsx';

/** Adds an app: first choose which, then answer its questions, then see what to put where. */
export default async function NewClientPage({ searchParams }: { searchParams: SearchParams }) {
  await guardPage('/admin/clients/new');
  const text = await pageText();
  const query = await readParams(searchParams);
  const carried = carriedFrom(query);
  // The ID is made here, so that a form that is sent twice makes only one client.
  const id = newId(new Date());
  if (query.choose === undefined) {
    const kind = knownOption(clientKinds, query.kind);
    if (kind) return <KindPage kind={kind} id={id} carried={carried} />;
    if (query.recipe !== undefined) {
      const recipe = findRecipe(query.recipe) ?? notFound();
      return <RecipePage recipe={recipe} id={id} carried={carried} />;
    }
  }
  return (
    <AdminPage title={text('connect.title')} text={text('connect.lead')} up="/admin/clients">
      <RecipeList search={(query.q ?? '').slice(0, 100)} carried={carried} />
    </AdminPage>
  );
}
