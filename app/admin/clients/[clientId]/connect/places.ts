import { config } from '#lib/config.ts';
import type { ClientRecord } from '#lib/management/client/clients.ts';
import type { GuardPlaces } from '#lib/recipes/guard.ts';
import { recipeOf } from '#lib/recipes/origin.ts';

/** A host with a port; IPv6 in brackets. */
const hostAndPort = /^(?:[a-z\d](?:[\w.-]{0,251}[a-z\d])?|\[[\da-f:.]{2,45}\]):\d{1,5}$/i;

/** Where a proxy reaches things, as the address of a page says, and which of it cannot be. */
export function placesIn(
  { guardedSites: sites, recipe }: Pick<ClientRecord, 'guardedSites' | 'recipe'>,
  query: Readonly<Record<string, string>>,
): { places: GuardPlaces; wrong: ('app' | 'server')[] } {
  const usual = { app: placeOfProgram(recipe), server: `127.0.0.1:${config().port}` };
  const typed = { app: query.app?.trim(), server: query.server?.trim() };
  const names = ['app', 'server'] as const;
  const wrong = names.filter((name) => typed[name] && !hostAndPort.test(typed[name]));
  const [first = 'https://app.example.org'] = sites;
  const site = sites.find((each) => each === query.site) ?? first;
  return {
    places: { site, app: typed.app || usual.app, server: typed.server || usual.server },
    wrong,
  };
}

/** Where the recipe of a program lets it listen. */
function placeOfProgram(origin: string | null): string {
  const blocks = recipeOf(origin)?.recipe.blocks ?? [];
  const [place = '127.0.0.1:8080'] = /127\.0\.0\.1:\d+/.exec(JSON.stringify(blocks)) ?? [];
  return place;
}
