import type { VisitorRequest } from '#lib/http/message.ts';
import type { OwnAddress } from '#lib/http/own-address.ts';
import { readKept } from '#lib/identity/kept-accounts.ts';
import { readSession } from '#lib/identity/session.ts';
import { appPageOf, type FacedApp } from '#lib/interaction/app-page.ts';
import type { CheckedRequest } from '#lib/interaction/context.ts';
import { csrfOfRequest, type Elsewhere } from '#lib/interaction/page.ts';
import { resumeForPage } from '#lib/interaction/resume.ts';
import { type ReturnTo, stepAddress } from '#lib/interaction/return-to.ts';
import type { AuthorizationRequest } from '#lib/oauth/authorization-request.ts';
import { withParams } from '#lib/oauth/redirect-uri.ts';
import type { Session } from '#lib/store/sessions.ts';
import { loginKey, normalKey } from '#lib/store/users.ts';

/** Active, signed in besides, or with a session that has ended. */
export type Choice = {
  id: string;
  username: string;
  state: 'active' | 'kept' | 'ended';
  /** Its user, while it is signed in. */
  user: Session['user'] | null;
};

type SwitchScreen = {
  csrf: string;
  checked: CheckedRequest | null;
  app: FacedApp | null;
  accounts: Choice[];
};

/** Reads the page, or where to redirect: a browser without accounts goes to the sign-in page. */
export async function readSwitchScreen(
  request: VisitorRequest,
  way: Pick<ReturnTo, 'sealed' | 'back'>,
  now: Date,
): Promise<SwitchScreen | Elsewhere> {
  const resumed = way.sealed === undefined ? null : await resumeForPage(request, way.sealed, now);
  if (resumed && 'elsewhere' in resumed) return resumed;
  const checked = resumed?.checked ?? null;
  const { session } = resumed?.visit ?? (await readSession(request, now));
  const accounts = forRequest(await accountsOf(request, session, now), checked?.request);
  if (accounts.length === 0) return { elsewhere: anotherAt(way) };
  const app = checked && (await appPageOf(checked.client));
  return { csrf: csrfOfRequest(request), checked, app, accounts };
}

/** Where to sign in to an account that is not in the list. */
export function anotherAt(way: Pick<ReturnTo, 'sealed' | 'back'>): OwnAddress {
  return withParams(stepAddress('/login', way), { account: 'another' });
}

/** The accounts of this browser, the active one first. */
async function accountsOf(
  request: VisitorRequest,
  session: Session | null,
  now: Date,
): Promise<Choice[]> {
  const kept = (await readKept(request, now)).filter(({ userId }) => userId !== session?.user.id);
  const beside = kept.map(({ userId, username, session: its }): Choice => {
    const known = { id: userId, user: its?.user ?? null };
    return { ...known, username: its?.user.username ?? username, state: its ? 'kept' : 'ended' };
  });
  if (!session) return beside;
  const { user } = session;
  return [{ id: user.id, username: user.username, user, state: 'active' }, ...beside];
}

/** The accounts that may answer a request, with the one it hints at first. */
function forRequest(accounts: Choice[], request: AuthorizationRequest | undefined): Choice[] {
  const { subject, loginHint } = request ?? {};
  const hinted = loginHint && loginKey(loginHint);
  const isHinted = ({ username, user }: Choice) =>
    [username, user?.email].some((name) => name && normalKey(name) === hinted);
  return accounts
    .filter(({ id }) => subject === undefined || id === subject)
    .sort((one, other) => Number(isHinted(other)) - Number(isHinted(one)));
}
