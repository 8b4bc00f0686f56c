import { wantedToSetUpApp } from '#app/account/security/submit.ts';
import { readEnrolment } from '#app/login/factor/screen.ts';
import type { VisitorRequest } from '#lib/http/message.ts';
import type { Enrolment } from '#lib/identity/enrolment.ts';
import { readSession } from '#lib/identity/session.ts';
import { type Flash, readFlash } from '#lib/interaction/flash.ts';
import { csrfOfRequest, type Elsewhere } from '#lib/interaction/page.ts';
import { signInAt } from '#lib/interaction/return-to.ts';
import type { Wanted } from '#lib/interaction/ways-to-confirm.ts';
import type { Session } from '#lib/store/sessions.ts';

type TotpScreen = {
  csrf: string;
  session: Session;
  notice: Flash | null;
  enrolment: Enrolment;
  wanted: Wanted;
};

export async function readTotpScreen(
  request: VisitorRequest,
  sealed: string | undefined,
  now: Date,
): Promise<TotpScreen | Elsewhere> {
  const { session } = await readSession(request, now);
  if (!session) return { elsewhere: signInAt('/account/security/totp') };
  const enrolment = await readEnrolment(request, session.user.id, sealed, now);
  return {
    csrf: csrfOfRequest(request),
    session,
    notice: await readFlash(request, 'totp'),
    enrolment,
    wanted: await wantedToSetUpApp(session.user.id),
  };
}
