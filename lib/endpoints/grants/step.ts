import { signInEnd } from '../../oauth/sign-in-rules.ts';
import type { TokenTarget } from '../../oauth/token-target.ts';
import type { Authorization, Judged, Taken } from '../../store/authorizations.ts';
import type { Stepped } from '../../store/exchanges.ts';
import type { SingleUse } from '../../store/spent-values.ts';
import { spendProof } from '../dpop.ts';
import {
  type Asking,
  issuerFor,
  issueTokens,
  type Step,
  type TokenAnswer,
} from '../issue-tokens.ts';
import { markSpent, unspent } from '../single-use.ts';

/** An authorization of which a request may take a step, and everything that the step needs. */
export type Turn = Asking & {
  id: string;
  /**
   * The authorization, and what its tokens are for. Null if it was not read: then the statement of
   * the step checks all of it, provided that everything else is still as it was judged.
   */
  seen: { authorization: Authorization; target: TokenTarget } | null;
  /** Of the client's assertion, if that has not been spent. */
  assertion?: SingleUse | null;
};

/**
 * Takes a step of an authorization and issues its tokens. Every grant uses it, whether the
 * authorization was read or not. The DPoP proof (RFC 9449 section 11.1) and the client's assertion
 * (RFC 7523 section 3) are spent in the same transaction. Null if the statement found that something has changed; nothing has happened then.
 * @throws OAuthRefusal invalid_dpop_proof for a proof that was used before
 * @param what which tokens are issued, and the counter of their refresh token
 */
export async function takeStep(
  turn: Turn,
  what: Pick<Step, 'what' | 'rotation'>,
  take: (judged: Judged) => Promise<Stepped | Taken | null>,
  now: Date,
): Promise<TokenAnswer | null> {
  const { id, client, seen } = turn;
  const issuer = await issuerFor(turn, seen?.target.apis ?? [], now);
  const exchanged = seen !== null && seen.authorization.lineage.length > 0;
  const revision = seen ? null : turn.revision;
  const uses = unspent([turn.dpop, turn.assertion ?? null]);
  const stepped = await take({ id, client, revision, exchanged, uses });
  if (!stepped) {
    // The reason may be the proof. If so, the client is told.
    await spendProof(turn.dpop);
    return null;
  }
  markSpent(uses);
  const { scope, narrowed } = seen?.target ?? { scope: stepped.scope, narrowed: false };
  const authorization = seen?.authorization ?? null;
  const step = { ...stepped, ...what, id, at: now, scope, narrowed, authorization };
  return issueTokens(issuer, step, now);
}

/** When what the sign-in gave this client ends; null: only token lifetimes limit it. */
export function signInEndOf({ client, seen }: Turn): Date | null {
  return seen && signInEnd(client, seen.authorization);
}
