import { noAccess } from '../oauth/access.ts';
import type { Client } from '../oauth/client.ts';
import { OAuthRefusal } from '../oauth/errors.ts';
import type { SignInAtHand } from '../oauth/sign-in-asked.ts';
import { type Place, refusalOfPlace } from '../oauth/sign-in-rules.ts';

/**
 * What admins say of an app that registered itself: it may be used; somebody has to ask them; they
 * were asked; they refused.
 */
export type Approval = 'given' | 'needed' | 'asked' | 'refused';

/** Somebody, or nobody yet, who wants to use an app now, from where they are. */
export type Passage = {
  client: Pick<Client, 'networks'>;
  place: Place;
  /** As it is known, for the trace. */
  address: string | null;
  /** Null: nobody is signed in. */
  person: { allowed: boolean; signIn: SignInAtHand } | null;
  approval: Approval;
};

/** They pass; or the page that they see instead, with what the app hears if it is told. */
export type Verdict = { page: null } | { page: 'login' } | KeptOut | Unapproved;

/** They may not use it: from there, or, where no place is named, at all. */
export type KeptOut = {
  page: 'no-access';
  place: Exclude<Place, 'inside'> | null;
  refusal: OAuthRefusal;
};

/** Admins have not approved it. */
export type Unapproved = {
  page: 'approval';
  approval: Exclude<Approval, 'given'>;
  refusal: OAuthRefusal;
};

/**
 * Whether somebody may use an app: every door asks this. From the wrong place nobody gets in, signed
 * in or not, so that comes first. Somebody who is not on the list of the app learns it before they prove anything
 * more, unless another account may answer. Only then what the app demands of the sign-in; and admins
 * are asked about an app only by somebody who could use it.
 */
export function judgePassage(passage: Passage): Verdict {
  const { client, place, address, person, approval } = passage;
  const misplaced = refusalOfPlace(client, place, address);
  if (misplaced && place !== 'inside') return { page: 'no-access', place, refusal: misplaced };
  if (person && !person.allowed && person.signIn !== 'maybe-another')
    return { page: 'no-access', place: null, refusal: noAccess() };
  if (person?.signIn !== 'good') return { page: 'login' };
  if (approval === 'given') return { page: null };
  return { page: 'approval', approval, refusal: refusalOfApproval(approval) };
}

/** What an app hears that may not be used, if its user goes back to it. */
function refusalOfApproval(approval: Exclude<Approval, 'given'>): OAuthRefusal {
  const refused = approval === 'refused';
  return new OAuthRefusal(
    'access_denied',
    refused ? 'An admin has refused this app.' : 'An admin has to approve this app first.',
    {},
    { rule: refused ? 'approval.refused' : 'approval.needed' },
  );
}
