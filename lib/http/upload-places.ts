import { once } from '../once.ts';
import { Places } from '../places.ts';

/** Large bodies in memory at a time, how many wait, and how long (milliseconds). */
const terms = { most: 3, mostWaiting: 16, patience: 20_000 };

const uploads = () =>
  once('upload-places', () => ({ owners: new Set<string>(), places: new Places() }));

/**
 * Runs work that holds a large body in memory: a few at a time in this process, and one at a time
 * for each owner (the sender). 'busy': no slot became free in time.
 */
export async function inUploadPlace<T>(owner: string, work: () => Promise<T>): Promise<T | 'busy'> {
  const { owners, places } = uploads();
  if (owners.has(owner)) return 'busy';
  owners.add(owner);
  try {
    if (!(await places.enter(terms))) return 'busy';
    try {
      return await work();
    } finally {
      places.leave();
    }
  } finally {
    owners.delete(owner);
  }
}
