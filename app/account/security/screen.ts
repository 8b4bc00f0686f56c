import type { PageRequest } from '#lib/http/message.ts';
import { passkeysPossible } from '#lib/identity/passkeys.ts';
import { readSession } from '#lib/identity/session.ts';
import { type Flash, readFlash } from '#lib/interaction/flash.ts';
import { csrfOfRequest, type Elsewhere } from '#lib/interaction/page.ts';
import { signInAt } from '#lib/interaction/return-to.ts';
import { isFactorDemanded } from '#lib/people/second-factor.ts';
import { type Factors, findTotp, readFactors } from '#lib/store/factors.ts';
import { listPasskeys, type Passkey } from '#lib/store/passkeys.ts';
import type { Session } from '#lib/store/sessions.ts';
import { settingsAt } from '#lib/store/settings.ts';

type SecurityScreen = {
  csrf: string;
  session: Session;
  notice: Flash | null;
  demanded: boolean;
  factors: Factors;
  appSince: Date | null;
  passkeys: Passkey[];
  passkeysPossible: boolean;
};

export async function readSecurityScreen(
  request: PageRequest,
  now: Date,
): Promise<SecurityScreen | Elsewhere> {
  const { session, revision } = await readSession(request, now);
  if (!session) return { elsewhere: signInAt('/account/security') };
  const { id } = session.user;
  const { requireSecondFactor } = await settingsAt(revision);
  return {
    csrf: csrfOfRequest(request),
    session,
    notice: await readFlash(request, '/account/security'),
    demanded: isFactorDemanded(requireSecondFactor, session.user),
    factors: await readFactors(id),
    appSince: (await findTotp(id))?.createdAt ?? null,
    passkeys: await listPasskeys(id),
    passkeysPossible: passkeysPossible(),
  };
}
