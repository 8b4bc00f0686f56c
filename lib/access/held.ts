import type { Client } from '../oauth/client.ts';
import { OAuthRefusal } from '../oauth/errors.ts';
import { refusalOfSignIn, type SignIn } from '../oauth/sign-in-rules.ts';
import type { Barred } from '../oauth/token-request.ts';
import { mayUse } from '../store/access.ts';
import { clientAt } from '../store/clients.ts';
import { approvalOf } from './approval.ts';
import { type Approval, judgePassage } from './passage.ts';

/** Somebody who was given something for an app before, and the sign-in that gave it. */
type Holder = SignIn & { allowed: boolean; approval: Approval };

/**
 * Judges what somebody was given for an app before: whether they would still pass with the sign-in
 * that gave it. The app's server sends it, so its network is not checked. Null if they would.
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

/** The same of an authorization as it is now. A client that everybody may use, made by an admin, costs nothing. */
export async function barredFrom(
  client: Client,
  authorization: SignIn & { userId: string },
  now: Date,
): Promise<Barred | null> {
  const { userId, authTime, amr } = authorization;
  const allowed = await mayUse(userId, client);
  // What has been given something is not new, so nobody has to approve it first.
  const approval = await approvalOf(client, { approveNewApps: 'off' });
  return judgeHolder(client, { authTime, amr, allowed, approval }, now);
}

/**
 * The same where an authorization came through other clients by token exchange: whoever would be kept
 * from one of them is kept from what came of it.
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

/** RFC 6749 section 5.2 has one code for whatever has become of a grant. */
function atTokenEndpoint({ reason, facts }: OAuthRefusal): OAuthRefusal {
  return new OAuthRefusal('invalid_grant', reason, {}, facts);
}
