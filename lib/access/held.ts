import { isMultiFactor } from '../oauth/acr.ts';
import type { Client } from '../oauth/client.ts';
import { OAuthRefusal } from '../oauth/errors.ts';
import { type Getting, refusalOfSignIn, type SignIn } from '../oauth/sign-in-rules.ts';
import type { Barred } from '../oauth/token-request.ts';
import { isFactorDemanded } from '../people/second-factor.ts';
import type { TermsDue } from '../people/terms.ts';
import type { Settings } from '../settings/table.ts';
import { mayUse } from '../store/access.ts';
import { findClient } from '../store/clients.ts';
import { endDue } from '../store/ends.ts';
import { findFactorDuty } from '../store/factor-duty.ts';
import { readSettings } from '../store/settings.ts';
import { approvalOf } from './approval.ts';
import { type Approval, judgePassage } from './passage.ts';
import { termsRequiredOf } from './terms.ts';

/** A user who was given something for an app earlier, and the sign-in that gave it. */
type Holder = SignIn & {
  allowed: boolean;
  approval: Approval;
  demanded: boolean;
  terms: TermsDue | null;
};

/**
 * Judges a code, token or grant that a user was given for an app earlier: would the user still get
 * it, with the sign-in that gave it? Null if so. The app's server sends it, so the user's network
 * is not checked.
 */
export function judgeHolder(
  client: Client,
  holder: Holder,
  getting: Getting,
  now: Date,
): Barred | null {
  const lack = refusalOfSignIn(client, holder, getting, now);
  const verdict = judgePassage({
    client,
    place: 'inside',
    address: null,
    person: {
      allowed: holder.allowed,
      signIn: lack ? 'again' : 'good',
      terms: holder.terms,
    },
    approval: holder.approval,
  });
  if ('refusal' in verdict) {
    const by = verdict.page === 'terms' ? 'terms' : 'app';
    return { by, refusal: atTokenEndpoint(verdict.refusal) };
  }
  return lack && { by: 'sign-in', refusal: lack };
}

/** A sign-in of a user, and the other clients that what it gave came through. */
type Authorized = SignIn & { userId: string; lineage?: readonly string[] };

/**
 * The same for an authorization, as things are now. Every grant asks this, because none of them
 * has a page that could ask for more. A user who is barred from a client that it came through by
 * token exchange is barred from everything that came through it. Runs no statement for an admin's
 * client that everybody may use, if the user signed in with two factors.
 */
export async function barredFrom(
  client: Client,
  authorization: Authorized,
  getting: Getting,
  now: Date,
): Promise<Barred | null> {
  const barred = await barredFromOne(client, authorization, getting, now);
  if (barred) return barred;
  for (const id of authorization.lineage ?? []) {
    const through = await findClient(id);
    // How old the sign-in may be counted when that client got something with it.
    const holder = through && { ...through, maxSignInAge: null };
    const above = holder && (await barredFromOne(holder, authorization, getting, now));
    if (above) return above;
  }
  return null;
}

async function barredFromOne(
  client: Client,
  authorization: Authorized,
  getting: Getting,
  now: Date,
): Promise<Barred | null> {
  const { userId, authTime, amr } = authorization;
  await endDue(now);
  const allowed = await mayUse(userId, client);
  // A client that was given something is not new, so it needs no approval first.
  const approval = await approvalOf(client, { approveNewApps: 'off' });
  const demanded = await demandsFactor(userId, amr);
  const terms = await termsRequiredOf(userId, client, now);
  return judgeHolder(client, { authTime, amr, allowed, approval, demanded, terms }, getting, now);
}

/**
 * Whether this server requires a second factor of a user, and the sign-in had none.
 * @param settings as they are now; by default they are read
 */
export async function demandsFactor(
  userId: string,
  amr: string,
  settings?: Pick<Settings, 'requireSecondFactor'>,
): Promise<boolean> {
  if (isMultiFactor(amr)) return false;
  const { requireSecondFactor: rule } = settings ?? (await readSettings());
  const duty = await findFactorDuty(userId);
  return duty !== null && isFactorDemanded(rule, duty);
}

/** RFC 6749 section 5.2 has one code for every reason why a grant is no longer good. */
function atTokenEndpoint({ reason, facts }: OAuthRefusal): OAuthRefusal {
  return new OAuthRefusal('invalid_grant', reason, {}, facts);
}
