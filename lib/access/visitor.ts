import { placeIn } from '../http/cidr.ts';
import { ownAddress, type Sender } from '../http/network.ts';
import type { Client } from '../oauth/client.ts';
import type { EndUser, SignInAtHand } from '../oauth/sign-in-asked.ts';
import type { SignIn } from '../oauth/sign-in-rules.ts';
import type { Settings } from '../settings/table.ts';
import { mayUse } from '../store/access.ts';
import type { Session } from '../store/sessions.ts';
import { approvalOf } from './approval.ts';
import { judgePassage, type KeptOut, type Unapproved, type Verdict } from './passage.ts';

/** Who is at the door: where they are, and their session; null: nobody is signed in. */
export type Visitor = Sender & {
  session: (SignIn & { user: Pick<Session['user'], 'id' | 'hasFactor'> }) | null;
  settings: Pick<Settings, 'approveNewApps'>;
};

/**
 * Judges whether a visitor may use an app. A client that everybody may use, made by an admin, costs
 * nothing.
 * @param judgeSignIn how far their sign-in answers what is asked
 */
export async function passageOf(
  client: Client,
  visitor: Visitor,
  judgeSignIn: (person: EndUser) => SignInAtHand,
): Promise<Verdict> {
  const { session, settings } = visitor;
  const address = ownAddress(visitor);
  return judgePassage({
    client,
    place: placeIn(client.networks, address),
    address,
    person: session && {
      allowed: await mayUse(session.user.id, client),
      signIn: judgeSignIn(endUserOf(session)),
    },
    approval: await approvalOf(client, settings),
  });
}

/**
 * The same whatever their sign-in lacks: what keeps them out even after another one. Null: nothing,
 * as far as it is known who they are.
 */
export async function keptOutOf(
  client: Client,
  visitor: Visitor,
): Promise<KeptOut | Unapproved | null> {
  const verdict = await passageOf(client, visitor, () => 'good');
  return 'refusal' in verdict ? verdict : null;
}

/** The user of a session, as the rules need it. */
export function endUserOf({ amr, authTime, user }: NonNullable<Visitor['session']>): EndUser {
  return { userId: user.id, authTime, amr, hasFactor: user.hasFactor };
}
