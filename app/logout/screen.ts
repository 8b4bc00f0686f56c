import { checkLogout } from '#lib/endpoints/logout.ts';
import type { PageRequest } from '#lib/http/message.ts';
import { readSession } from '#lib/identity/session.ts';
import { openLogout } from '#lib/interaction/logout-request.ts';
import { csrfOfRequest, type Elsewhere } from '#lib/interaction/page.ts';
import { PageRefusal } from '#lib/oauth/errors.ts';
import { nameByProof } from '#lib/oauth/self-given-name.ts';
import type { Session } from '#lib/store/sessions.ts';

/** The view model of the sign-out page. */
type LogoutScreen = {
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
  const visit = await readSession(request, now);
  const { session } = visit;
  if (!session) return { elsewhere: '/logout/done' };
  const params = await openLogout(sealed);
  if (!params)
    return { csrf: csrfOfRequest(request), session, sealed: undefined, appName: undefined };
  try {
    const { client } = await checkLogout(params, request, visit, now);
    return {
      csrf: csrfOfRequest(request),
      session,
      sealed,
      appName: client ? nameByProof(client) : undefined,
    };
  } catch (error) {
    if (error instanceof PageRefusal) return { elsewhere: `/oauth/logout?request=${sealed}` };
    throw error;
  }
}
