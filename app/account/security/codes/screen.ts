import type { PageRequest } from '#lib/http/message.ts';
import { readSession } from '#lib/identity/session.ts';
import { readShownCodes } from '#lib/identity/shown-codes.ts';
import { csrfOfRequest, type Elsewhere } from '#lib/interaction/page.ts';
import { signInAt } from '#lib/interaction/return-to.ts';
import type { Session } from '#lib/store/sessions.ts';

type CodesScreen = {
  csrf: string;
  session: Session;
  codes: string[];
  sealed: string | undefined;
};

export async function readCodesScreen(
  request: PageRequest,
  sealed: string | undefined,
  now: Date,
): Promise<CodesScreen | Elsewhere> {
  const { session } = await readSession(request, now);
  if (!session) return { elsewhere: signInAt('/account/security') };
  const codes = await readShownCodes(session.user.id, request, now);
  if (!codes)
    return {
      elsewhere: sealed === undefined ? '/account/security' : `/oauth/continue?flow=${sealed}`,
    };
  return { csrf: csrfOfRequest(request), session, codes, sealed };
}
