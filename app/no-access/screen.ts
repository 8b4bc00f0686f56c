import { placeIn } from '#lib/http/cidr.ts';
import type { VisitorRequest } from '#lib/http/message.ts';
import { ownAddress } from '#lib/http/network.ts';
import { appPageOf, type FacedApp } from '#lib/interaction/app-page.ts';
import { endUserOf, mayReply } from '#lib/interaction/context.ts';
import { csrfOfRequest, type Elsewhere } from '#lib/interaction/page.ts';
import { continueAt, resumeForPage } from '#lib/interaction/resume.ts';
import type { Place } from '#lib/oauth/sign-in-rules.ts';
import { readBranding } from '#lib/store/branding.ts';
import type { Session } from '#lib/store/sessions.ts';

/** The view model of the page for somebody who may not use an app. */
export type NoAccessScreen = {
  csrf: string;
  sealed: string;
  app: FacedApp;
  session: Session | null;
  /** They may use it from elsewhere; else it is about their account. */
  place: Exclude<Place, 'inside'> | null;
  /** Nobody is sent to an address that may be a trap. */
  mayGoBack: boolean;
};

/** Reads the page, or where to redirect: whoever may use the app now just goes on. */
export async function readNoAccessScreen(
  request: VisitorRequest,
  sealed: string,
  now: Date,
): Promise<NoAccessScreen | Elsewhere> {
  const resumed = await resumeForPage(request, sealed, now);
  if ('elsewhere' in resumed) return resumed;
  const { visit, checked } = resumed;
  const { session } = visit;
  const found = placeIn(checked.client.networks, ownAddress(visit));
  const place = found === 'inside' ? null : found;
  const person = session && (await endUserOf(session, checked));
  if (!place && (!person || person.allowed)) return { elsewhere: continueAt(sealed) };
  await readBranding();
  const app = await appPageOf(checked.client);
  const mayGoBack = await mayReply(checked, visit, now);
  return { csrf: csrfOfRequest(request), sealed, app, session, place, mayGoBack };
}
