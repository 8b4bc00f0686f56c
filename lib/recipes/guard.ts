import { collection } from './list.ts';
import type { FilledBlock, GuardSource } from './recipe.ts';

/** An app, as far as the text for its proxy depends on it. */
type Guarded = { siteHeaders: Readonly<Record<string, unknown>> };

/** The site, and where its proxy reaches the program and this server: hosts with their ports. */
export type GuardPlaces = { site: string; app: string; server: string };

/** The kinds of proxies that there is a text for, by name. */
export const guardTexts = (): readonly GuardSource[] => collection().guards;

const placeholders =
  /app\.example\.org|(127\.0\.0\.1):(8080|3000)\b|(?<=address: )127\.0\.0\.1, port_value: (8080|3000)/g;

/**
 * What to paste for one kind of proxy, with the places of an app. Lines about `Remote-Sub` are
 * repeated for each header of the app's own.
 */
export function fillGuard(
  { blocks }: GuardSource,
  app: Guarded,
  places: GuardPlaces,
): FilledBlock[] {
  const { hostname } = new URL(places.site);
  const at = (port: string | undefined) => (port === '8080' ? places.app : places.server);
  const own = Object.keys(app.siteHeaders);
  return blocks.map(({ title, text }) => {
    const lines = text.split('\n').flatMap((line) => [line, ...repeated(line, own)]);
    const filled = lines.join('\n').replace(placeholders, (_, host, port, envoyPort) => {
      if (envoyPort) return at(envoyPort).replace(/:(\d+)$/, ', port_value: $1');
      return host ? at(port) : hostname;
    });
    return { title, language: 'text', text: `${filled}\n`, fields: null };
  });
}

/** A line for each name; the name has the case and the `_` that `Remote-Sub` has in it. */
function repeated(line: string, names: readonly string[]): string[] {
  if (!/remote[-_]sub/i.test(line)) return [];
  return names.map((name) =>
    line
      .replaceAll('Remote-Sub', name)
      .replaceAll('Remote_Sub', name.replaceAll('-', '_'))
      .replaceAll('remote-sub', name.toLowerCase())
      .replaceAll('remote_sub', name.toLowerCase().replaceAll('-', '_')),
  );
}
