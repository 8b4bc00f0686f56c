import { placeIn } from '../http/cidr.ts';
import { ownAddress, type Sender } from '../http/network.ts';
import type { Client } from '../oauth/client.ts';
import { lackOf, type SignIn } from '../oauth/sign-in-rules.ts';
import type { Settings } from '../settings/table.ts';
import { mayUse } from '../store/access.ts';
import { approvalOf } from './approval.ts';
import { demandsFactor } from './held.ts';
import { judgePassage, type Verdict } from './passage.ts';
import { termsRequiredOf } from './terms.ts';

/** A person at the door of a guarded site, with the sign-in that let them in before. */
type Guest = Sender & {
  userId: string;
  signIn: SignIn;
  settings: Pick<Settings, 'requireSecondFactor'>;
};

/**
 * Judges each request of a person at a guarded site: by where they are now, by the app's list, and
 * by what the app and this server demand of a sign-in, its age too. Runs no statement for an
 * admin's app that everybody may use, if the person signed in with two factors.
 */
export async function passageOfGuest(client: Client, guest: Guest, now: Date): Promise<Verdict> {
  const { userId, signIn, settings } = guest;
  const address = ownAddress(guest);
  const demanded = await demandsFactor(userId, signIn.amr, settings);
  const rules = { ...client, requireSecondFactor: client.requireSecondFactor || demanded };
  return judgePassage({
    client,
    place: placeIn(client.networks, address),
    address,
    person: {
      allowed: await mayUse(userId, client),
      signIn: lackOf(rules, signIn, now) ? 'again' : 'good',
      terms: await termsRequiredOf(userId, client, now),
    },
    approval: await approvalOf(client, { approveNewApps: 'off' }),
  });
}
