import { appsAtOnce, type Matrix } from '#lib/management/grant/matrix.ts';
import { countIn } from '#lib/messages/formats.ts';
import type { Text } from '#lib/messages/text.ts';
import { totalIn } from '#lib/messages/total.ts';
import { hrefOf } from '../../ui/href.ts';

type Props = {
  text: Text;
  path: string;
  query: Readonly<Record<string, string>>;
  apps: Matrix['apps'];
};

/** Above the matrix: which apps it shows, and links to the previous and next ones. */
export function AppPages({ text, path, query, apps: { rows, total, page, pages } }: Props) {
  if (pages === 1) return null;
  const from = (page - 1) * appsAtOnce + 1;
  const at = (number: number) => hrefOf(path, { ...query, apps: number > 1 ? `${number}` : '' });
  const range = {
    from: countIn(text.locale, from),
    to: countIn(text.locale, from + rows.length - 1),
    total: totalIn(text.locale, total),
  };
  return (
    <nav aria-label={text('matrix.appPages')} className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      <span className="text-ink-soft tabular-nums">{text('matrix.range', range)}</span>
      {page > 1 && (
        <a className="gh-link" rel="prev" href={at(page - 1)}>
          ← {text('matrix.before')}
        </a>
      )}
      {page < pages && (
        <a className="gh-link" rel="next" href={at(page + 1)}>
          {text('matrix.after')} →
        </a>
      )}
    </nav>
  );
}
