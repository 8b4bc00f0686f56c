import { Fragment } from 'react';
import { pagesIn } from '#lib/management/page.ts';
import { countIn } from '#lib/messages/formats.ts';
import type { Total } from '#lib/store/engine/page.ts';
import { pageText } from '../../../locale.ts';
import { hrefOf } from '../href.ts';

type Props = {
  path: string;
  query: Readonly<Record<string, string>>;
  page: number;
  /** The number of rows, and how many of them this page shows. */
  total: Total;
  shown: number;
  /** A total such as "1,204 people". */
  says: string;
  size?: number;
  /** On the last page of a list that was not counted completely: where it continues. */
  onward?: string;
};

/** Below a list: which part of the list this is, and links to other pages. */
export async function Pages({ path, query, page, total, shown, says, size = 50, onward }: Props) {
  const text = await pageText();
  const from = (page - 1) * size + 1;
  const last = pagesIn(total);
  const at = (number: number) => hrefOf(path, { ...query, page: number > 1 ? `${number}` : '' });
  const count = (number: number) => countIn(text.locale, number);
  return (
    <div className="gh-pages">
      <span className="tabular-nums">
        {last > 1
          ? text('table.range', { from: count(from), to: count(from + shown - 1), total: says })
          : says}
      </span>
      {total.more && page === last && (
        <span>
          {text('table.ends')}{' '}
          {onward && (
            <a className="gh-link font-semibold" href={onward}>
              {text('table.onward')}
            </a>
          )}
        </span>
      )}
      {last > 1 && (
        <nav aria-label={text('frame.pages')}>
          {page > 1 && (
            <a href={at(page - 1)} rel="prev" aria-label={text('frame.previousPage')}>
              ‹
            </a>
          )}
          {around(page, last).map((number, index, shownPages) => (
            <Fragment key={number}>
              {number - (shownPages[index - 1] ?? 0) > 1 && <span aria-hidden="true">…</span>}
              <a
                href={at(number)}
                aria-current={number === page ? 'page' : undefined}
                aria-label={
                  number === page ? undefined : text('table.page', { page: count(number) })
                }
              >
                {count(number)}
              </a>
            </Fragment>
          ))}
          {page < last && (
            <a href={at(page + 1)} rel="next" aria-label={text('frame.next')}>
              ›
            </a>
          )}
        </nav>
      )}
    </div>
  );
}

/** The first page, the last page, and the neighbours of the current one. */
function around(page: number, last: number): number[] {
  const wanted = [1, page - 1, page, page + 1, last];
  return [...new Set(wanted)].filter((number) => number >= 1 && number <= last);
}
