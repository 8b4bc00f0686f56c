import { expect, test } from 'vitest';
import { createClient } from '#lib/management/client/clients.ts';
import { clientOf } from '#lib/recipes/fill.ts';
import { allRecipes } from '#lib/recipes/list.ts';
import { sampleAnswers } from '../recipes/samples.ts';
import { onOneForChange } from '../support/on-each-database.ts';
import { actor } from './people.ts';

onOneForChange(() => {
  test.each(allRecipes().map((recipe) => [recipe.id, recipe] as const))(
    'the recipe %s creates the client that it describes',
    async (_, recipe) => {
      const asked = { ...clientOf(recipe, sampleAnswers(recipe)), name: 'App' };
      const { client, secret } = await createClient(asked, actor, new Date());
      expect(client).toMatchObject(asked);
      // A guarded app never proves itself.
      const proves = asked.type === 'confidential' && !asked.guardedSites?.length;
      expect(secret !== null).toBe(proves);
    },
  );
});
