import { listNames } from '../../store/client-list.ts';
import type { Trace } from '../../store/trace-list.ts';
import { nearest } from '../nearest.ts';

/** Longer ids can't match anything. */
const longest = 64;

/**
 * The app that an attempt with an unknown client_id may have meant, by its id or name. The answer
 * reveals which apps exist, so it is only for people who see every app.
 */
export async function clientMeant({ steps }: Trace): Promise<{ id: string; name: string } | null> {
  const sent = steps.find(({ rule }) => rule === 'client.unknown')?.received ?? '';
  if (sent === '' || sent.length > longest) return null;
  const known = await listNames();
  const named = nearest(
    sent,
    known.flatMap(({ id, name }) => [id, name]),
  );
  return known.find(({ id, name }) => id === named || name === named) ?? null;
}
