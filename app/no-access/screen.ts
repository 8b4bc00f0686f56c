import type { VisitorRequest } from '#lib/http/message.ts';
import { appPageOf, type FacedApp } from '#lib/interaction/app-page.ts';
import { mayReply } from '#lib/interaction/context.ts';
import { type Account, findKeptOut } from '#lib/interaction/kept-out.ts';
import { csrfOfRequest, type Elsewhere } from '#lib/interaction/page.ts';
import { askedBy, continueAt, resumeForPage } from '#lib/interaction/resume.ts';
import type { Place } from '#lib/oauth/sign-in-rules.ts';
import { readBranding } from '#lib/store/branding.ts';

/** What the page shows to a user who may not use an app. */
type NoAccessScreen = {
  csrf: string;
  sealed: string;
  app: FacedApp;
  /** The account that may not use the app; null if no one is signed in. */
  account: Account | null;
  /**
   * Set if the account may use the app from elsewhere; null if the account itself is the reason.
   */
  place: Exclude<Place, 'inside'> | null;
  /** Whether the user may be sent back to the app; false if its address might be a trap. */
  mayGoBack: boolean;
};

/** Reads the page, or where to redirect: users who may use the app by now simply continue. */
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
