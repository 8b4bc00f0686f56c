import type { VisitorRequest } from '#lib/http/message.ts';
import { appPageOf, type FacedApp } from '#lib/interaction/app-page.ts';
import { mayReply } from '#lib/interaction/context.ts';
import { type Account, findKeptOut } from '#lib/interaction/kept-out.ts';
import { csrfOfRequest, type Elsewhere } from '#lib/interaction/page.ts';
import { askedBy, continueAt, resumeForPage } from '#lib/interaction/resume.ts';
import type { Place } from '#lib/oauth/sign-in-rules.ts';
import { readBranding } from '#lib/store/branding.ts';

/** The view model of the page for somebody who may not use an app. */
type NoAccessScreen = {
  csrf: string;
  sealed: string;
  app: FacedApp;
  /** Who may not use it; null: nobody is signed in. */
  account: Account | null;
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
  const { verdict, account } = await findKeptOut(askedBy(resumed), request, now);
  if (verdict?.page !== 'no-access') return { elsewhere: continueAt(sealed) };
  await readBranding();
  const app = await appPageOf(checked.client);
  const mayGoBack = await mayReply(checked, visit, now);
  const { place } = verdict;
  return { csrf: csrfOfRequest(request), sealed, app, account, place, mayGoBack };
}
