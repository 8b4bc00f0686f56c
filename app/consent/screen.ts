import type { VisitorRequest } from '#lib/http/message.ts';
import { appPageOf, type FacedApp } from '#lib/interaction/app-page.ts';
import type { CheckedRequest } from '#lib/interaction/context.ts';
import { type Flash, readFlash } from '#lib/interaction/flash.ts';
import { csrfOfRequest, type Elsewhere } from '#lib/interaction/page.ts';
import { resumeForPage, sessionFor } from '#lib/interaction/resume.ts';
import { consentFlashKey } from '#lib/interaction/return-to.ts';
import { asksForHowLong, isOver } from '#lib/oauth/consent-period.ts';
import { wordFor } from '#lib/oauth/grant-words.ts';
import { lifetimes } from '#lib/oauth/token-request.ts';
import { lifeFor } from '#lib/oauth/token-target.ts';
import { findGrant } from '#lib/store/grants.ts';
import { scopesAt } from '#lib/store/scopes.ts';
import type { Session } from '#lib/store/sessions.ts';
import { fieldsAt } from '#lib/store/user-fields.ts';
import { sealShown } from './shown.ts';

/** The view model of the consent page. */
type ConsentScreen = {
  csrf: string;
  sealed: string;
  seen: string;
  checked: CheckedRequest;
  app: FacedApp;
  session: Session;
  scopes: (ReturnType<typeof wordFor> & { added: boolean })[];
  /** Seconds that an access token lives; undefined: nobody is asked for how long. */
  life?: number;
  notice: Flash | null;
};

/** Reads the consent page, or where to redirect first. */
export async function readConsentScreen(
  request: VisitorRequest,
  sealed: string,
  now: Date,
): Promise<ConsentScreen | Elsewhere> {
  const resumed = await resumeForPage(request, sealed, now);
  if ('elsewhere' in resumed) return resumed;
  const session = await sessionFor(resumed, sealed, now);
  if ('elsewhere' in session) return session;
  const { flow, checked } = resumed;
  const { revision } = resumed.visit;
  const [known, fields, grant] = [
    await scopesAt(revision),
    await fieldsAt(revision),
    await findGrant(session.user.id, checked.client.id),
  ];
  const held = grant && !isOver(grant, now) ? grant : null;
  const { consentScope, resources } = checked.request;
  const scopes = consentScope.map((name) => ({
    ...wordFor(name, { scopes: known, fields, apis: resources.apis }),
    added: held !== null && !held.scopes.includes(name),
  }));
  return {
    csrf: csrfOfRequest(request),
    sealed,
    seen: await sealShown(flow.id, checked, session, fields),
    checked,
    app: await appPageOf(checked.client),
    session,
    scopes,
    life: asksForHowLong(checked.client)
      ? lifeFor(resources.apis, lifetimes(checked.client, resumed.visit.settings).accessToken)
      : undefined,
    notice: await readFlash(request, consentFlashKey(flow.id)),
  };
}
