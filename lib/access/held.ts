import type { Client } from '../oauth/client.ts';
import { OAuthRefusal } from '../oauth/errors.ts';
import { refusalOfSignIn, type SignIn } from '../oauth/sign-in-rules.ts';
import type { Barred } from '../oauth/token-request.ts';
import { mayUse } from '../store/access.ts';
import { clientAt } from '../store/clients.ts';
import { approvalOf } from './approval.ts';
import { type Approval, judgePassage } from './passage.ts';

/** A user who was given something for an app earlier, and the sign-in that gave it. */
type Holder = SignIn & { allowed: boolean; approval: Approval };

/**
 * Judges a code, token or grant that a user was given for an app earlier: would the user still get
 * it, with the sign-in that gave it? Null if so. The app's server sends it, so the user's network
 * is not checked.
 */
export function judgeHolder(client: Client, holder: Holder, now: Date): Barred | null {
  const lack = refusalOfSignIn(client, holder, now);
  const verdict = judgePassage({
    client,
    place: 'inside',
    address: null,
    person: { allowed: holder.allowed, signIn: lack ? 'again' : 'good' },
    approval: holder.approval,
  });
  if ('refusal' in verdict) return { by: 'app', refusal: atTokenEndpoint(verdict.refusal) };
  return lack && { by: 'sign-in', refusal: lack };
}

/**
 * The same for an authorization, as things are now. Runs no statement for an admin's client that
 * everybody may use.
 */
export async function barredFrom(
  client: Client,
  authorization: SignIn & { userId: string },
  now: Date,
): Promise<Barred | null> {
  const { userId, authTime, amr } = authorization;
  const allowed = await mayUse(userId, client);
  // A client that was given something is not new, so it needs no approval first.
  const approval = await approvalOf(client, { approveNewApps: 'off' });
  return judgeHolder(client, { authTime, amr, allowed, approval }, now);
}

/**
 * The same where an authorization came through other clients by token exchange: a user who is now
 * barred from one of those clients is barred from everything that came through it.
 * @param revision of the state that the clients are read in
 */
export async function barredFromAll(
  client: Client,
  authorization: SignIn & { userId: string; lineage: readonly string[] },
  revision: number,
  now: Date,
): Promise<Barred | null> {
  const barred = await barredFrom(client, authorization, now);
  if (barred) return barred;
  for (const id of authorization.lineage) {
    const through = await clientAt(revision, id);
    const above = through && (await barredFrom(through, authorization, now));
    if (above) return above;
  }
  return null;
}

/** RFC 6749 section 5.2 has one code for every reason why a grant is no longer good. */
function atTokenEndpoint({ reason, facts }: OAuthRefusal): OAuthRefusal {
  return new OAuthRefusal('invalid_grant', reason, {}, facts);
}
