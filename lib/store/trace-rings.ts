/**
 * The proof behind a request: none, so that anyone can have sent it; a signed-in user; or a
 * credential of the app, which is its secret, or a code or token that only it was given. Each is
 * stronger than the one before. What a public app is given can be sent by its user as well, and so
 * proves only a person.
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

/** SQL: whether the row that would be inserted has the stronger proof. */
export function isStrongerThan(table: string): string {
  const rank = (row: string) =>
    `CASE ${row}.behind WHEN 'app' THEN 2 WHEN 'person' THEN 1 ELSE 0 END`;
  return `${rank('excluded')} > ${rank(table)}`;
}

/** SQL: the stronger proof of the existing row and the one that would be inserted. */
export const strongerIn = (table: string) =>
  `CASE WHEN ${isStrongerThan(table)} THEN excluded.behind ELSE ${table}.behind END`;

/** The ring of attempts that name none of our clients. */
export const unknownClients = '';

/**
 * The ring that an attempt is kept in. A client has one ring for requests that anyone can send in
 * its name, one for those its users can send, and one for its own. However long one kind goes on,
 * it pushes out only requests of the same kind. No client id contains a line break.
 */
export function ringOf(clientId: string | null, behind: Behind): string {
  if (clientId === null) return unknownClients;
  return behind === 'app' ? clientId : `${clientId}\n${behind}`;
}

/** Whether a ring is for the users of a client: in it each of them has a share. */
export const isOfPeople = (ring: string) => ring.endsWith('\nperson');

/**
 * How many attempts are kept in a ring, with and without a refusal; and how many of one person in
 * it.
 */
export const room = { failed: 150, others: 50 };
export const shareOfPerson = { failed: 30, others: 10 };
