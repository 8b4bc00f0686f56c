import type { KeptOut, Unapproved } from '../access/passage.ts';
import { keptOutOf } from '../access/visitor.ts';
import type { VisitorRequest } from '../http/message.ts';
import { readStep, type Step } from '../identity/second-step.ts';
import type { Client } from '../oauth/client.ts';
import type { RequestContext } from './context.ts';

export type Account = Pick<Step['user'], 'id' | 'username' | 'email' | 'name'> & {
  picture?: string | null;
};

/** A request for an app, from a browser or for a device, and its visitor. */
type Asked = { id: string; client: Client; visit: RequestContext };

/**
 * What keeps a user out of the app that they are asked about, and who they are: the signed-in user,
 * or the one whose password was right a moment ago. They need not prove more to be told.
 */
export async function findKeptOut(
  { id, client, visit }: Asked,
  request: VisitorRequest,
  now: Date,
): Promise<{ verdict: KeptOut | Unapproved | null; account: Account | null }> {
  const step = await readStep(request, id, now);
  if (step?.kind !== 'kept-out') {
    const verdict = await keptOutOf(client, visit);
    return { verdict, account: visit.session?.user ?? null };
  }
  const { amr, user } = step;
  const session = { amr, authTime: now, signedInAt: now, user: { id: user.id, hasFactor: false } };
  return { verdict: await keptOutOf(client, { ...visit, session }), account: user };
}
