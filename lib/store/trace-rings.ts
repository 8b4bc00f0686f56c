/**
 * What stood behind a request: nobody, so that anyone can have sent it; a signed-in person; or a
 * credential of the app, its secret or a code or token that only it was given. Each is more than the
 * one before it. What a public app is given its user can send as well: it proves a person.
 */
export const behinds = ['nobody', 'person', 'app'] as const;
export type Behind = (typeof behinds)[number];

/** What a code or token of a client proves. */
export const provedBy = ({ type }: { type: 'public' | 'confidential' }): Behind =>
  type === 'confidential' ? 'app' : 'person';

/** The stronger of two. */
export function stronger(one: Behind, other: Behind): Behind {
  return behinds.indexOf(one) < behinds.indexOf(other) ? other : one;
}

/** SQL: whether the row that would be inserted has the stronger one. */
export function isStrongerThan(table: string): string {
  const rank = (row: string) =>
    `CASE ${row}.behind WHEN 'app' THEN 2 WHEN 'person' THEN 1 ELSE 0 END`;
  return `${rank('excluded')} > ${rank(table)}`;
}

/** SQL: the stronger of a row in place and the one that would be inserted. */
export const strongerIn = (table: string) =>
  `CASE WHEN ${isStrongerThan(table)} THEN excluded.behind ELSE ${table}.behind END`;

/** Attempts that name no client of ours. */
export const unknownClients = '';

/**
 * The ring that an attempt is kept with. What anyone can send in the name of a client has one, and
 * what its users can has another, apart from what it sent itself: however long either goes on, it
 * pushes out nothing but its like. No client id has a line break.
 */
export function ringOf(clientId: string | null, behind: Behind): string {
  if (clientId === null) return unknownClients;
  return behind === 'app' ? clientId : `${clientId}\n${behind}`;
}

/** Whether a ring is of the people of a client: there each has a share. */
export const isOfPeople = (ring: string) => ring.endsWith('\nperson');

/** How many attempts are kept in a ring, with a refusal and without; and of one person in it. */
export const room = { failed: 150, others: 50 };
export const shareOfPerson = { failed: 30, others: 10 };
