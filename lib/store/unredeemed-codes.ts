import { once } from '../once.ts';
import { read, writeTogether } from './engine/database.ts';
import { inList } from './engine/parameters.ts';
import type { Statement } from './engine/statement.ts';

/*
 * A code that is never redeemed is a row for an hour. A process remembers the latest codes of each
 * grant, and forgets now and then those that were redeemed. If too many are left, it deletes the
 * oldest, of which those that are over come first. One mark on the grant keeps their requests
 * answered, so that neither rows nor marks grow.
 */

/** How many unredeemed codes of a user and an app may stay, for each process, and how many go. */
export const mostUnredeemed = 500;
export const roomMade = 50;

/** A process asks which codes were redeemed when it remembers so many of a grant. */
const firstLook = 60;

/** How many codes a process remembers; the grants that had none for longest are forgotten first. */
const mostRemembered = 120_000;

/** The codes of a grant, oldest first, and how many there will be at the next look. */
type Recent = { ids: string[]; looksAt: number };

const recent = () => once('recent-codes', () => ({ grants: new Map<string, Recent>(), size: 0 }));

/**
 * Remembers the authorization of a code; if too many are unredeemed, the oldest of them are
 * deleted.
 */
export async function boundUnredeemed(grantId: string, id: string): Promise<void> {
  const codes = remember(grantId, id);
  if (codes.ids.length < codes.looksAt) return;
  codes.looksAt = Number.POSITIVE_INFINITY;
  try {
    await forgetRedeemed(codes);
    while (codes.ids.length >= mostUnredeemed) {
      const oldest = take(codes, codes.ids.slice(0, roomMade));
      await writeTogether(marking(grantId, oldest), [removing(oldest)]);
    }
  } finally {
    codes.looksAt = Math.min(Math.max(firstLook, 2 * codes.ids.length), mostUnredeemed);
  }
}

function remember(grantId: string, id: string): Recent {
  const { grants } = recent();
  const codes = grants.get(grantId) ?? { ids: [], looksAt: firstLook };
  grants.delete(grantId);
  grants.set(grantId, codes);
  codes.ids.push(id);
  recent().size += 1;
  for (const [longestAgo, { ids }] of grants) {
    if (recent().size <= mostRemembered || longestAgo === grantId) break;
    grants.delete(longestAgo);
    recent().size -= ids.length;
  }
  return codes;
}

async function forgetRedeemed(codes: Recent): Promise<void> {
  const seen = [...codes.ids];
  for (let from = 0; from < seen.length; from += roomMade) {
    const some = seen.slice(from, from + roomMade);
    const rows = await read<{ id: string }>(find, padded(some));
    const left = new Set(rows.map(({ id }) => id));
    take(
      codes,
      some.filter((id) => !left.has(id)),
    );
  }
}

/** Takes these out of what is remembered of a grant. */
function take(codes: Recent, ids: string[]): string[] {
  const gone = new Set(ids);
  const stay = codes.ids.filter((id) => !gone.has(id));
  recent().size -= codes.ids.length - stay.length;
  codes.ids = stay;
  return ids;
}

/** Parameters for as many ids as the statements take: the last one stands for those that lack. */
const padded = (ids: string[]) =>
  inList('id', [...ids, ...Array(roomMade - ids.length).fill(ids.at(-1))]).params;

const places = Array.from({ length: roomMade }, (_, index) => `:id${index}`);
const unredeemed = `id IN (${places.join(', ')}) AND redeemed_at IS NULL`;
const find = `SELECT id FROM authorizations WHERE ${unredeemed}`;
const remove = `DELETE FROM authorizations WHERE ${unredeemed}`;
// The grant comes first, because withdrawals of consent take the locks in this order.
const mark = `
  UPDATE grants SET answered_to = CASE WHEN answered_to > :latest THEN answered_to ELSE :latest END
  WHERE id = :grantId AND EXISTS (SELECT 1 FROM authorizations WHERE ${unredeemed}) RETURNING id`;

const removing = (ids: string[]): Statement => ({
  sql: remove,
  params: padded(ids),
});

/** Takes the latest id, because ids sort by the time of the request. */
function marking(grantId: string, ids: string[]): Statement {
  const latest = [...ids].sort().at(-1) ?? '';
  return { sql: mark, params: { ...padded(ids), grantId, latest } };
}

/**
 * SQL: no code of the grant `g` that answered the request with this id can have been deleted to
 * make room.
 */
export const unanswered = (id: string) => `(g.answered_to IS NULL OR g.answered_to < ${id})`;
