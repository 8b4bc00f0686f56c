import type { VisitorRequest } from '#lib/http/message.ts';
import { readKept } from '#lib/identity/kept-accounts.ts';
import { readSession } from '#lib/identity/session.ts';
import { appPageOf, type FacedApp } from '#lib/interaction/app-page.ts';
import type { CheckedRequest } from '#lib/interaction/context.ts';
import { type Flash, readFlash } from '#lib/interaction/flash.ts';
import { csrfOfRequest, type Elsewhere } from '#lib/interaction/page.ts';
import { resumeForPage } from '#lib/interaction/resume.ts';
import { loginFlashKey } from '#lib/interaction/return-to.ts';
import { type Lack, lackOf } from '#lib/oauth/sign-in-rules.ts';
import type { Session } from '#lib/store/sessions.ts';

/** The view model of the sign-in page. */
export type LoginScreen = {
  csrf: string;
  sealed: string | undefined;
  /** Of the pending request. */
  flowId: string | undefined;
  checked: CheckedRequest | null;
  notice: Flash | null;
  session: Session | null;
  /** The branding of the requesting app. */
  app: FacedApp | null;
  /** The user is signed in but has to sign in again. */
  again: boolean;
  /** The account that was chosen for the request, and has to sign in again. */
  choice: Session['user'] | null;
  /** What the app misses in that sign-in. */
  lack: Lack | null;
};

/**
 * Reads the sign-in page. A pending request of another browser is sent to the endpoint that refuses
 * it.
 */
export async function readLoginScreen(
  request: VisitorRequest,
  sealed: string | undefined,
  now: Date,
): Promise<LoginScreen | Elsewhere> {
  const resumed = sealed === undefined ? null : await resumeForPage(request, sealed, now);
  if (resumed && 'elsewhere' in resumed) return resumed;
  const checked = resumed?.checked ?? null;
  const { session } = resumed?.visit ?? (await readSession(request, now));
  return {
    csrf: csrfOfRequest(request),
    sealed,
    flowId: resumed?.flow.id,
    checked,
    app: checked && (await appPageOf(checked.client)),
    notice: await readFlash(request, loginFlashKey(resumed?.flow.id)),
    session,
    again: session !== null && checked !== null,
    choice: session && session.user.id === resumed?.flow.chosen ? session.user : null,
    lack: session && checked && lackOf(checked.client, session, now),
  };
}

/**
 * Whether the accounts of this browser are offered before the form: the request wants one chosen, it
 * names one of them, or the browser acts for none of them.
 */
export async function isChoiceDue(
  { checked, session, choice, notice }: LoginScreen,
  request: VisitorRequest,
  now: Date,
): Promise<boolean> {
  if (notice || choice) return false;
  const { prompt = [], subject } = checked?.request ?? {};
  const kept = await readKept(request, now);
  if (prompt.includes('select_account')) return session !== null || kept.length > 0;
  if (prompt.includes('login')) return false;
  return kept.some(
    (each) =>
      each.session !== null && (subject === undefined ? session === null : each.userId === subject),
  );
}
