import { checkLogout } from '#lib/endpoints/logout.ts';
import type { PageRequest } from '#lib/http/message.ts';
import { readSession } from '#lib/identity/session.ts';
import { openLogout } from '#lib/interaction/logout-request.ts';
import { csrfOfRequest, type Elsewhere } from '#lib/interaction/page.ts';
import { PageRefusal } from '#lib/oauth/errors.ts';
import type { Session } from '#lib/store/sessions.ts';

/** The view model of the sign-out page. */
export type LogoutScreen = {
  csrf: string;
  session: Session;
  sealed: string | undefined;
  appName: string | undefined;
};

export async function readLogoutScreen(
  request: PageRequest,
  sealed: string | undefined,
  now: Date,
): Promise<LogoutScreen | Elsewhere> {
  const { session, revision } = await readSession(request, now);
  if (!session) return { elsewhere: '/logout/done' };
  const params = await openLogout(sealed);
  if (!params)
    return { csrf: csrfOfRequest(request), session, sealed: undefined, appName: undefined };
  try {
    const { client } = await checkLogout(params, session, revision, now);
    return { csrf: csrfOfRequest(request), session, sealed, appName: client?.name };
  } catch (error) {
    if (error instanceof PageRefusal) return { elsewhere: `/oauth/logout?request=${sealed}` };
    throw error;
  }
}
