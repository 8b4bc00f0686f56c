import { z } from 'zod';
import type { CheckedRequest } from '#lib/interaction/visit.ts';
import { seal } from '#lib/sealed/seal.ts';
import type { Session } from '#lib/store/sessions.ts';

export const shown = z.object({
  f: z.string(),
  u: z.string(),
  s: z.string(),
  c: z.string(),
  r: z.string(),
  p: z.string(),
});

type Shown = z.infer<typeof shown>;

/** What the person decides on: whose account, in which session, which app, which address, which scopes. */
export function shownOn(
  flowId: string,
  { client, target, request }: CheckedRequest,
  session: Session,
): Shown {
  return {
    f: flowId,
    u: session.user.id,
    s: session.hash,
    c: client.id,
    r: target.uri,
    p: request.consentScope.join(' '),
  };
}

/** The sealed copy that the consent form sends back. */
export function sealShown(
  flowId: string,
  checked: CheckedRequest,
  session: Session,
): Promise<string> {
  return seal('seen', shownOn(flowId, checked, session));
}

export function isSame(sent: unknown, now: Shown): boolean {
  const parsed = shown.safeParse(sent);
  return parsed.success && JSON.stringify(parsed.data) === JSON.stringify(now);
}
