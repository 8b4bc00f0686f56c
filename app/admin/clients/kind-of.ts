import type { ClientSummary } from '#lib/management/client/clients.ts';
import { clientWords as words } from '#lib/messages/admin/clients.ts';
import { deviceGrant } from '#lib/oauth/grant-types.ts';
import { recipeOf } from '#lib/recipes/origin.ts';

type Made = Pick<ClientSummary, 'recipe' | 'type' | 'grants'>;

/** What an app was added as: the name of its recipe, else its kind, else what its settings say. */
export function kindOf({ recipe, type, grants }: Made): string {
  const made = recipeOf(recipe);
  if (made) return made.recipe.name;
  const kind = recipe?.startsWith('kind:') ? recipe.slice('kind:'.length) : '';
  if (kind in words.kinds) return words.kinds[kind as keyof typeof words.kinds].label;
  if (grants.includes(deviceGrant) && !grants.includes('authorization_code'))
    return words.kinds.device.label;
  if (type === 'public') return words.kinds.public.label;
  const signsIn = grants.includes('authorization_code');
  return signsIn ? words.kinds.web.label : words.kinds.service.label;
}
