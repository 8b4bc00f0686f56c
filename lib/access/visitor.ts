import { placeIn } from '../http/cidr.ts';
import { ownAddress, type Sender } from '../http/network.ts';
import type { Client } from '../oauth/client.ts';
import type { EndUser, SignInAtHand } from '../oauth/sign-in-asked.ts';
import type { SignIn } from '../oauth/sign-in-rules.ts';
import type { Settings } from '../settings/table.ts';
import { mayUse } from '../store/access.ts';
import { endDue } from '../store/ends.ts';
import type { Session } from '../store/sessions.ts';
import { approvalOf } from './approval.ts';
import { judgePassage, type KeptOut, type Unapproved, type Verdict } from './passage.ts';
import { termsDueFrom, termsRequiredOf } from './terms.ts';

/** The person at the door: where they are, and their session (null: not signed in). */
export type Visitor = Sender & {
  session:
    | (SignIn & Pick<Session, 'signedInAt'> & { user: Pick<Session['user'], 'id' | 'hasFactor'> })
    | null;
  settings: Pick<Settings, 'approveNewApps'>;
  /** Whether a page can ask them for what is not required yet. */
  canBeAsked?: boolean;
};

/**
 * Judges whether a visitor may use an app. Runs no statement for an admin's client that everybody
 * may use.
 * @param judgeSignIn how far their sign-in meets what is asked for
 */
export async function passageOf(
  client: Client,
  visitor: Visitor,
  judgeSignIn: (person: EndUser) => SignInAtHand,
): Promise<Verdict> {
  const { session, settings } = visitor;
  const address = ownAddress(visitor);
  const now = new Date();
  await endDue(now);
  return judgePassage({
    client,
    place: placeIn(client.networks, address),
    address,
    person: session && {
      allowed: await mayUse(session.user.id, client),
      signIn: judgeSignIn(endUserOf(session)),
      terms: visitor.canBeAsked
        ? await termsDueFrom(session.user.id, client.id, now)
        : await termsRequiredOf(session.user.id, client, now),
    },
    approval: await approvalOf(client, settings),
  });
}

/**
 * What would keep a visitor out even after another sign-in. Null: nothing, as far as it is known
 * who they are.
 */
export async function keptOutOf(
  client: Client,
  visitor: Visitor,
): Promise<KeptOut | Unapproved | null> {
  const verdict = await passageOf(client, visitor, () => 'good');
  return verdict.page === 'no-access' || verdict.page === 'approval' ? verdict : null;
}

/** The user of a session, in the form that the rules need. */
export function endUserOf({
  amr,
  authTime,
  signedInAt,
  user,
}: NonNullable<Visitor['session']>): EndUser {
  return { userId: user.id, authTime, signedInAt, amr, hasFactor: user.hasFactor };
}
