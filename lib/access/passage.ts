import { noAccess } from '../oauth/access.ts';
import type { Client } from '../oauth/client.ts';
import { OAuthRefusal } from '../oauth/errors.ts';
import type { SignInAtHand } from '../oauth/sign-in-asked.ts';
import { type Place, refusalOfPlace } from '../oauth/sign-in-rules.ts';
import type { TermsDue } from '../people/terms.ts';

/**
 * The state of an app's approval: the app may be used; someone has to ask the admins first; they
 * were asked; they refused.
 */
export type Approval = 'given' | 'needed' | 'asked' | 'refused';

/** A person, signed in or not, who wants to use an app now, from where they are. */
export type Passage = {
  client: Pick<Client, 'networks'>;
  place: Place;
  /** As far as it is known, for the trace. */
  address: string | null;
  /** Null: no one is signed in. `terms`: what they have to answer first; null: nothing. */
  person: { allowed: boolean; signIn: SignInAtHand; terms: TermsDue | null } | null;
  approval: Approval;
};

/** They pass, or see a page instead. `refusal` is what the app is told, if it is told. */
export type Verdict = { page: null } | { page: 'login' } | Unagreed | KeptOut | Unapproved;

/** They may not use the app: not from there or, where `place` is null, not at all. */
export type KeptOut = {
  page: 'no-access';
  place: Exclude<Place, 'inside'> | null;
  refusal: OAuthRefusal;
};

/** They have not agreed to terms of use. */
type Unagreed = { page: 'terms'; due: TermsDue; refusal: OAuthRefusal };

/** Admins have not approved the app. */
export type Unapproved = {
  page: 'approval';
  approval: Exclude<Approval, 'given'>;
  refusal: OAuthRefusal;
};

/**
 * Whether a person may use an app; every door asks this. The place is checked first, because from
 * the wrong place no one gets in, signed in or not. Next come people who are not on the app's list:
 * they learn so before they have to prove anything more, unless another account may answer. Then
 * the app's demands on the sign-in, then terms of use. Approval is last, so that only people who
 * could use the app ask admins to approve it.
 */
export function judgePassage(passage: Passage): Verdict {
  const { client, place, address, person, approval } = passage;
  const misplaced = refusalOfPlace(client, place, address);
  if (misplaced && place !== 'inside') return { page: 'no-access', place, refusal: misplaced };
  if (person && !person.allowed && person.signIn !== 'maybe-another')
    return { page: 'no-access', place: null, refusal: noAccess() };
  if (person?.signIn !== 'good') return { page: 'login' };
  const { terms } = person;
  if (terms) return { page: 'terms', due: terms, refusal: refusalOfTerms(terms) };
  if (approval === 'given') return { page: null };
  return { page: 'approval', approval, refusal: refusalOfApproval(approval) };
}

/** What an unapproved app is told if its user returns to it. */
function refusalOfApproval(approval: Exclude<Approval, 'given'>): OAuthRefusal {
  const refused = approval === 'refused';
  return new OAuthRefusal(
    'access_denied',
    refused ? 'An admin has refused this app.' : 'An admin has to approve this app first.',
    {},
    { rule: refused ? 'approval.refused' : 'approval.needed' },
  );
}

/** What a program is told that no page can be shown to. */
function refusalOfTerms({ terms }: TermsDue): OAuthRefusal {
  const { name, requiredFrom } = terms;
  return new OAuthRefusal(
    'access_denied',
    'The user has to agree to the terms of use first, on a sign-in page.',
    {},
    {
      rule: 'terms.required',
      received: `a user who has not agreed to ${name}`,
      expected: [`one who has; required since ${requiredFrom.toISOString()}`],
    },
  );
}
