import type { KeptOut, Unapproved } from '../access/passage.ts';
import { keptOutOf } from '../access/visitor.ts';
import type { VisitorRequest } from '../http/message.ts';
import { readStep, type Step } from '../identity/second-step.ts';
import type { Resumed } from './resume.ts';

/** Somebody as a page shows them. */
export type Account = Pick<Step['user'], 'id' | 'username' | 'email' | 'name'> & {
  picture?: string | null;
};

/**
 * What keeps somebody out of the app of a pending request, and who it is: whoever is signed in, or
 * whose password was right a moment ago, since they need not prove more to hear it.
 */
export async function findKeptOut(
  { flow, visit, checked }: Resumed,
  request: VisitorRequest,
  now: Date,
): Promise<{ verdict: KeptOut | Unapproved | null; account: Account | null }> {
  const step = await readStep(request, flow.id, now);
  if (step?.kind !== 'kept-out') {
    const verdict = await keptOutOf(checked.client, visit);
    return { verdict, account: visit.session?.user ?? null };
  }
  const { amr, user } = step;
  const session = { amr, authTime: now, user: { id: user.id, hasFactor: false } };
  return { verdict: await keptOutOf(checked.client, { ...visit, session }), account: user };
}
