import { notFound } from 'next/navigation';

/** What a page is about; when there is no such thing (any more), the page that says so. */
export async function found<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (error instanceof Error && error.name === 'AdminRefusal') notFound();
    throw error;
  });
}
