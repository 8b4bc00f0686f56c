import type { HttpRequest } from './message.ts';

/** The sender of a request as the actor of an act. `id` is the user's; null: not a known user. */
export function actorAt<Id extends string | null>(
  { address, id: requestId }: Pick<HttpRequest, 'address' | 'id'>,
  id: Id,
) {
  return { id, address, requestId };
}
