import { once } from '../once.ts';

/** How many large bodies are in memory at a time, and how many wait unread. */
const atATime = 3;
const waitingAtMost = 16;
/** How long one waits, in milliseconds. */
const patience = 20_000;

type Places = { taken: number; owners: Set<string>; waiting: (() => void)[] };

const places = () =>
  once('upload-places', (): Places => ({ taken: 0, owners: new Set(), waiting: [] }));

/**
 * Runs work that holds a large body in memory: a few at a time in this process, and one per owner
 * (its sender). 'busy': no slot became free in time.
 */
export async function inUploadPlace<T>(owner: string, work: () => Promise<T>): Promise<T | 'busy'> {
  const held = places();
  if (held.owners.has(owner)) return 'busy';
  held.owners.add(owner);
  try {
    if (held.taken < atATime) held.taken += 1;
    else if (!(await takeOver(held))) return 'busy';
    try {
      return await work();
    } finally {
      const next = held.waiting.shift();
      if (next) next();
      else held.taken -= 1;
    }
  } finally {
    held.owners.delete(owner);
  }
}

/** Waits for a free slot. */
function takeOver({ waiting }: Places): Promise<boolean> {
  if (waiting.length >= waitingAtMost) return Promise.resolve(false);
  return new Promise((resolve) => {
    const take = () => {
      clearTimeout(timer);
      resolve(true);
    };
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(take), 1);
      resolve(false);
    }, patience);
    waiting.push(take);
  });
}
