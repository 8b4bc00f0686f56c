import { clientKinds, spokenBy } from '#lib/management/client/client-kinds.ts';
import type { ClientSummary } from '#lib/management/client/clients.ts';
import type { Text } from '#lib/messages/text.ts';
import { deviceGrant } from '#lib/oauth/grant-types.ts';
import { recipeOf } from '#lib/recipes/origin.ts';

type Made = Pick<ClientSummary, 'recipe' | 'type' | 'grants' | 'ldap' | 'scopes'>;

/**
 * The kind of an app: the name of its recipe, else the kind it was added as, else what its settings
 * suggest.
 */
export function kindOf(text: Text, client: Made): string {
  const { recipe, type, grants } = client;
  const made = recipeOf(recipe);
  if (made) return made.recipe.name;
  const kind = clientKinds.find((each) => recipe === `kind:${each}`);
  if (kind) return text(`clients.kinds.${kind}.label`);
  if (spokenBy({ ...client, guardedSites: [] }) === 'ldap') return text('clients.kinds.ldap.label');
  if (grants.includes(deviceGrant) && !grants.includes('authorization_code'))
    return text('clients.kinds.device.label');
  if (type === 'public') return text('clients.kinds.public.label');
  const signsIn = grants.includes('authorization_code');
  return signsIn ? text('clients.kinds.web.label') : text('clients.kinds.service.label');
}
