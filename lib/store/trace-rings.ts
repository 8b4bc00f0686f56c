/**
 * What stood behind a request: nobody, so that anyone can have sent it; a signed-in person; or a
 * credential of the app, its secret or a code or token that it was given. Each is more than the one
 * before it.
 */
export const behinds = ['nobody', 'person', 'app'] as const;
export type Behind = (typeof behinds)[number];

/** The stronger of two. */
export function stronger(one: Behind, other: Behind): Behind {
  return behinds.indexOf(one) < behinds.indexOf(other) ? other : one;
}

/** The same of a row in place and the one that would be inserted. */
export const strongerIn = (table: string) => `CASE
  WHEN 'app' IN (${table}.behind, excluded.behind) THEN 'app'
  WHEN 'person' IN (${table}.behind, excluded.behind) THEN 'person' ELSE 'nobody' END`;

/** Attempts that name no client of ours. */
export const unknownClients = '';

/**
 * The ring that an attempt is kept with. What anyone can send in the name of a client has one apart
 * from what stood something behind: however long it goes on, it pushes out nothing but its like. No
 * client id has a line break.
 */
export function ringOf(clientId: string | null, behind: Behind): string {
  if (clientId === null) return unknownClients;
  return behind === 'nobody' ? `${clientId}\nanyone` : clientId;
}

/** Whether what is in a ring can be anyone's. */
export const isAnyones = (ring: string) => ring === unknownClients || ring.endsWith('\nanyone');

/** How many attempts are kept in a ring, with a refusal and without. */
export const room = { failed: 150, others: 50 };
