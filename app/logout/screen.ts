import { checkLogout } from '#lib/endpoints/logout.ts';
import type { PageRequest } from '#lib/http/message.ts';
import { listKept } from '#lib/identity/kept-accounts.ts';
import { readSession } from '#lib/identity/session.ts';
import { openLogout } from '#lib/interaction/logout-request.ts';
import { csrfOfRequest, type Elsewhere } from '#lib/interaction/page.ts';
import { PageRefusal } from '#lib/oauth/errors.ts';
import { nameByProof } from '#lib/oauth/self-given-name.ts';
import { providerOfSession, type Session } from '#lib/store/sessions.ts';

type LogoutScreen = {
  csrf: string;
  session: Session;
  sealed: string | undefined;
  appName: string | undefined;
  /** The provider the user signed in with, where they stay signed in. */
  provider: string | null;
  /** The browser has other accounts, too. */
  others: boolean;
};

export async function readLogoutScreen(
  request: PageRequest,
  sealed: string | undefined,
  now: Date,
): Promise<LogoutScreen | Elsewhere> {
  const visit = await readSession(request, now);
  if (!visit.session) return { elsewhere: '/logout/done' };
  const csrf = csrfOfRequest(request);
  const others = (await listKept(request, now)).length > 0;
  const params = await openLogout(sealed);
  if (!params)
    return {
      csrf,
      others,
      session: visit.session,
      sealed: undefined,
      appName: undefined,
      provider: await providerOfSession(visit.session.hash),
    };
  try {
    const { client, session } = await checkLogout(params, request, visit, now);
    return {
      csrf,
      others,
      session: session ?? visit.session,
      sealed,
      provider: await providerOfSession((session ?? visit.session).hash),
      appName: client ? nameByProof(client) : undefined,
    };
  } catch (error) {
    if (error instanceof PageRefusal) return { elsewhere: `/oauth/logout?request=${sealed}` };
    throw error;
  }
}
