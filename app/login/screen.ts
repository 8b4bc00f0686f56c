import type { PageRequest } from '#lib/http/message.ts';
import { type PageNotice, readNotice } from '#lib/interaction/flash.ts';
import { csrfOfRequest, type Elsewhere, flowOf, recheck } from '#lib/interaction/page.ts';
import { loginPage } from '#lib/interaction/return-to.ts';
import { type CheckedRequest, readVisit } from '#lib/interaction/visit.ts';
import { type AppPage, readAppPage } from '#lib/store/clients.ts';
import type { Session } from '#lib/store/sessions.ts';

/** The view model of the sign-in page. */
export type LoginScreen = {
  csrf: string;
  sealed: string | undefined;
  checked: CheckedRequest | null;
  notice: PageNotice | null;
  session: Session | null;
  /** The branding of the requesting app. */
  app: AppPage | null;
  /** The user is signed in but has to sign in again. */
  again: boolean;
};

/**
 * Reads the sign-in page. A pending request of another browser is sent to the endpoint that refuses
 * it.
 */
export async function readLoginScreen(
  request: PageRequest,
  sealed: string | undefined,
  now: Date,
): Promise<LoginScreen | Elsewhere> {
  const flow = sealed === undefined ? null : await flowOf(request, sealed, now);
  if (flow && 'elsewhere' in flow) return flow;
  const visit = await readVisit(request, now);
  const checked = flow ? await recheck(flow, visit, sealed, now) : null;
  if (checked && 'elsewhere' in checked) return checked;
  return {
    csrf: csrfOfRequest(request),
    sealed,
    checked,
    app: checked && (await readAppPage(checked.client)),
    notice: await readNotice(request, loginPage(flow?.id)),
    session: visit.session,
    again: visit.session !== null && checked !== null,
  };
}
