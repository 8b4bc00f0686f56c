import type { ValueArguments } from '../messages/keys.ts';
import type { Recipe } from './recipe.ts';

type Key = 'connect.sourceRun' | 'connect.sourceRead' | 'connect.sourceByHand';

/** One sentence on how a recipe is known to work; used on the server and in the browser. */
export function howKnown(
  say: <K extends Key>(key: K, ...values: ValueArguments<K>) => string,
  { checked, source: { version } }: Pick<Recipe, 'checked' | 'source'>,
): string {
  if (checked === 'run') return say('connect.sourceRun', { version });
  if (checked === 'documentation') return say('connect.sourceRead', { version });
  return say('connect.sourceByHand', { version, day: checked.byHand });
}
