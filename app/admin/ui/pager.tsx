import type { Page } from '#lib/store/engine/page.ts';
import { pageText } from '../../locale.ts';
import { hrefOf } from './href.ts';
import { QuickButton } from './quick-link.tsx';

/** Links to the neighbouring pages and the first one. */
export async function Pager({
  path,
  query,
  next,
  previous,
}: {
  path: string;
  /** Search, filters and order with the cursor in `after`; empty ones are left out. */
  query: Readonly<Record<string, string | undefined>>;
} & Pick<Page<unknown>, 'next' | 'previous'>) {
  const text = await pageText();
  const { after, ...rest } = query;
  if (!next && !previous && !after) return null;
  const links = [
    [after ? '' : null, text('frame.firstPage')],
    [previous, text('frame.previousPage')],
    [next, text('frame.next')],
  ] as const;
  return (
    <nav aria-label={text('frame.pages')} className="flex flex-wrap gap-2">
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
