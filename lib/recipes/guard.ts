import { collection } from './list.ts';
import type { FilledBlock, GuardSource } from './recipe.ts';

/** An app, as far as the text for its proxy depends on it. */
type Guarded = { guardedSites: readonly string[]; siteHeaders: Readonly<Record<string, unknown>> };

/** The kinds of proxies that there is a text for, by name. */
export const guardTexts = (): readonly GuardSource[] => collection().guards;

/**
 * What to paste for one kind of proxy, with the first host of an app. Lines about `Remote-Sub` are
 * repeated for each header of the app's own.
 */
export function fillGuard({ blocks }: GuardSource, app: Guarded): FilledBlock[] {
  const [site = 'https://app.example.org'] = app.guardedSites;
  const { hostname } = new URL(site);
  const own = Object.keys(app.siteHeaders);
  return blocks.map(({ title, text }) => {
    const lines = text.split('\n').flatMap((line) => [line, ...repeated(line, own)]);
    const filled = `${lines.join('\n').replaceAll('app.example.org', hostname)}\n`;
    return { title, language: 'text', text: filled, fields: null };
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
