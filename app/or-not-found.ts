import { notFound } from 'next/navigation';
import { isAdminRefusal } from '#lib/management/is-refusal.ts';

/** Returns the subject of a page, or renders the 404 page if it doesn't exist. */
export async function orNotFound<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (isAdminRefusal(error)) notFound();
    throw error;
  });
}
