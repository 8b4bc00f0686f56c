import { frameWords } from '#lib/messages/admin/frame.ts';
import type { Page } from '#lib/store/engine/page.ts';
import { QuickButton } from './quick-link.tsx';

/** The pages beside this one, and the first. */
export function Pager({
  path,
  query,
  next,
  previous,
}: {
  path: string;
  /** Search, filters and order with the cursor in `after`; empty ones are left out. */
  query: Readonly<Record<string, string | undefined>>;
} & Pick<Page<unknown>, 'next' | 'previous'>) {
  const { after, ...rest } = query;
  if (!next && !previous && !after) return null;
  const links = [
    [after ? '' : null, frameWords.firstPage],
    [previous, frameWords.previousPage],
    [next, frameWords.next],
  ] as const;
  return (
    <nav aria-label={frameWords.pages} className="flex flex-wrap gap-2">
      {links.map(
        ([cursor, label]) =>
          cursor !== null && (
            <QuickButton
              key={label}
              kind="secondary"
              size="small"
              href={hrefOf(path, { ...rest, after: cursor })}
            >
              {label}
            </QuickButton>
          ),
      )}
    </nav>
  );
}

/** An address with the non-empty parameters. */
export function hrefOf(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path;
}
