import type { VisitorRequest } from '../../http/message.ts';
import { hasGrantEnded } from '../../oauth/consent-period.ts';
import { type GrantWord, wordFor } from '../../oauth/grant-words.ts';
import { lifetimes } from '../../oauth/token-request.ts';
import { lifeFor } from '../../oauth/token-target.ts';
import { findGrant } from '../../store/grants.ts';
import { scopesAt } from '../../store/scopes.ts';
import { fieldsAt } from '../../store/user-fields.ts';
import { appPageOf, type FacedApp } from '../app-page.ts';
import { type Flash, readFlash } from '../flash.ts';
import { csrfOfRequest } from '../page.ts';
import { asksPeriod, type Decision } from './decision.ts';
import { sealShown } from './shown.ts';

export type DecisionScreen<Asked extends Decision = Decision> = {
  asked: Asked;
  csrf: string;
  /** The sealed copy of what is decided. */
  seen: string;
  app: FacedApp;
  scopes: (GrantWord & { added: boolean })[];
  /** Seconds that an access token lives; undefined if the page doesn't ask for how long. */
  life?: number;
  notice: Flash | null;
};

export async function decisionScreen<Asked extends Decision>(
  asked: Asked,
  request: VisitorRequest,
  now: Date,
): Promise<DecisionScreen<Asked>> {
  const { client, visit, apis } = asked;
  return {
    asked,
    csrf: csrfOfRequest(request),
    seen: await sealShown(asked),
    app: await appPageOf(client),
    scopes: await scopesOf(asked, now),
    ...(asksPeriod(asked) && {
      life: lifeFor(apis, lifetimes(client, visit.settings).accessToken),
    }),
    notice: await readFlash(request, asked.flash),
  };
}

/**
 * What the app gets, in the words that people are shown, and which of it is new compared with its
 * present grant.
 */
async function scopesOf({ client, session, visit, words, apis }: Decision, now: Date) {
  if (words.length === 0) return [];
  const scopes = await scopesAt(visit.revision);
  const fields = await fieldsAt(visit.revision);
  const grant = await findGrant(session.user.id, client.id);
  const held = grant && !hasGrantEnded(grant, now) ? grant : null;
  return words.map((word) => ({
    ...wordFor(word, { scopes, fields, apis }),
    added: held !== null && !held.scopes.includes(word),
  }));
}
