import { signInEnd } from '../../oauth/sign-in-rules.ts';
import type { TokenTarget } from '../../oauth/token-target.ts';
import type { Authorization, Judged, Stepped } from '../../store/authorizations.ts';
import { spendProof, spentByStep, unspent } from '../dpop.ts';
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
 * was read or not. Its proof is spent with the step, in one transaction (RFC 9449 section 11.1).
 * Null: the statement found that something has changed; nothing has happened then.
 * @throws OAuthRefusal invalid_dpop_proof for a proof that was used before
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
  const exchanged = seen !== null && seen.authorization.lineage.length > 0;
  const revision = seen ? null : turn.revision;
  const stepped = await take({ id, client, revision, exchanged, uses: unspent(turn.dpop) });
  if (!stepped) {
    // Its proof may be why: then that is what is said.
    await spendProof(turn.dpop);
    return null;
  }
  spentByStep(turn.dpop);
  const { scope, narrowed } = seen?.target ?? { scope: stepped.scope, narrowed: false };
  const authorization = seen?.authorization ?? null;
  const step = { ...stepped, ...what, id, at: now, scope, narrowed, authorization };
  return issueTokens(issuer, step, now);
}

/** When all ends that the sign-in gave this client; null: the lives of the tokens decide alone. */
export function endOf({ client, seen }: Turn): Date | null {
  return seen && signInEnd(client, seen.authorization);
}
