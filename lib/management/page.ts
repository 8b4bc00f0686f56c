import { sentence } from '../messages/sentence.ts';
import type { Listing, Numbered } from '../store/engine/listing.ts';
import { BadCursor, type Page, type Paging, type Total } from '../store/engine/page.ts';
import { refuseAdmin } from './refusal.ts';

const pageSizes = { default: 50, max: 500 } as const;

export type Listed<T> = Page<T> & { total: Total };

/** A numbered page of a list, or its last page if there are fewer, and how many rows it has. */
export type NumberedPage<T> = { rows: T[]; total: Total; page: number };

/** Counts a list and reads a numbered page of it. */
export async function numberedPage<F extends Paging, R extends object, T, By extends string>(
  list: Listing<F, R, T, By>,
  filter: F,
  wanted: Numbered<By>,
): Promise<NumberedPage<T>> {
  const total = await list.count(filter);
  const page = Math.min(wanted.page, pagesIn(total));
  return { rows: await list.numbered(filter, { ...wanted, page }), total, page };
}

/** The number of pages of a list, as far as it was counted. */
export const pagesIn = ({ count }: Total): number =>
  Math.max(1, Math.ceil(count / pageSizes.default));

/** Reads a page of a list after validating size and cursor. @throws AdminRefusal */
export async function pageOf<F extends Paging, R extends object, T, By extends string>(
  list: Listing<F, R, T, By>,
  filter: F,
): Promise<Page<T>> {
  const limit = filter.limit ?? pageSizes.default;
  if (!Number.isInteger(limit) || limit < 1 || limit > pageSizes.max) {
    refuseAdmin('limit', sentence('refused.list.limit', { most: String(pageSizes.max) }));
  }
  try {
    return await list.page({ ...filter, limit });
  } catch (error) {
    if (error instanceof BadCursor) refuseAdmin('cursor', sentence('refused.list.cursor'));
    throw error;
  }
}
