import { frameWords } from '#lib/messages/admin/frame.ts';
import { QuickButton } from './quick-link.tsx';

/** Next page and back to the start. Previous pages are in the browser's history. */
export function Pager({
  path,
  query,
  next,
}: {
  path: string;
  /** Search, filters and order without the cursor; empty ones are left out. */
  query: Readonly<Record<string, string | undefined>>;
  next: string | null;
}) {
  const { after, ...rest } = query;
  if (!next && !after) return null;
  return (
    <nav aria-label={frameWords.pages} className="flex flex-wrap gap-2">
      {after && (
        <QuickButton kind="secondary" size="small" href={hrefOf(path, rest)}>
          {frameWords.firstPage}
        </QuickButton>
      )}
      {next && (
        <QuickButton kind="secondary" size="small" href={hrefOf(path, { ...rest, after: next })}>
          {frameWords.next}
        </QuickButton>
      )}
    </nav>
  );
}

/** An address with the non-empty parameters. */
export function hrefOf(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path;
}
