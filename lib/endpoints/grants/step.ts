import { signInEnd } from '../../oauth/sign-in-rules.ts';
import type { TokenTarget } from '../../oauth/token-target.ts';
import type { Authorization, Judged, Stepped } from '../../store/authorizations.ts';
import { spendProof } from '../dpop.ts';
import {
  type Asking,
  issuerFor,
  issueTokens,
  type Step,
  type TokenAnswer,
} from '../issue-tokens.ts';

/** An authorization that a request may take a step of, and everything the step needs. */
export type Turn = Asking & {
  id: string;
  /**
   * The authorization, and what its tokens are for; null: it was not read. Then the statement of the
   * step checks all of it, while everything else is as it was judged.
   */
  seen: { authorization: Authorization; target: TokenTarget } | null;
};

/**
 * Takes a step of an authorization and issues its tokens, for every grant, whether the authorization
 * was read or not. Null: the statement found that something has changed; nothing has happened then.
 * @param what which tokens, and the counter of the refresh token among them
 */
export async function takeStep(
  turn: Turn,
  what: Pick<Step, 'what' | 'rotation'>,
  take: (judged: Judged) => Promise<Stepped | null>,
  now: Date,
): Promise<TokenAnswer | null> {
  const { id, client, seen } = turn;
  const issuer = await issuerFor(turn, seen?.target.apis ?? [], now);
  await spendProof(turn.dpop);
  const exchanged = seen !== null && seen.authorization.lineage.length > 0;
  const stepped = await take({ id, client, revision: seen ? null : turn.revision, exchanged });
  if (!stepped) return null;
  const { scope, narrowed } = seen?.target ?? { scope: stepped.scope, narrowed: false };
  const authorization = seen?.authorization ?? null;
  const step = { ...stepped, ...what, id, at: now, scope, narrowed, authorization };
  return issueTokens(issuer, step, now);
}

/** When all ends that the sign-in gave this client; null: the lives of the tokens decide alone. */
export function endOf({ client, seen }: Turn): Date | null {
  return seen && signInEnd(client, seen.authorization);
}
