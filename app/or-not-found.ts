import { notFound } from 'next/navigation';

/** Returns the subject of a page, or renders the 404 page if it doesn't exist. */
export async function orNotFound<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (error instanceof Error && error.name === 'AdminRefusal') notFound();
    throw error;
  });
}
