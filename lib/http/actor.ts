import type { HttpRequest } from './message.ts';

/** Whoever sent a request, as the one who acts. `id`: the user's; null: nobody who is known. */
export function actorAt<Id extends string | null>(
  { address, id: requestId }: Pick<HttpRequest, 'address' | 'id'>,
  id: Id,
) {
  return { id, address, requestId };
}
