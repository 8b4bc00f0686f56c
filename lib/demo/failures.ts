import { audit } from '../store/audit.ts';
import { recordTrace, type TracedRefusal } from '../store/traces.ts';
import { countRefusal } from '../store/usage.ts';
import type { App } from './cast.ts';
import type { Chance } from './chance.ts';
import { randomMoment, whereFrom } from './moments.ts';

type Why = NonNullable<App['trouble']>['why'];

/** The refusals, as traces record them. */
const refusals: Record<Why, (redirectUri: string) => TracedRefusal> = {
  secret: () => ({
    code: 'invalid_client',
    rule: 'client-auth.wrong-secret',
    reason: 'The client secret is wrong.',
    received: 'a secret of 24 characters (masked)',
    expected: [],
  }),
  reuse: () => ({
    code: 'invalid_grant',
    rule: 'code.used',
    reason: 'The code has already been used.',
    received: null,
    expected: [],
  }),
  address: (redirectUri) => ({
    code: null,
    rule: 'redirect-uri.unregistered',
    reason: 'redirect_uri is not registered for this client.',
    received: `${redirectUri}/`,
    expected: [redirectUri],
  }),
};

/**
 * Records a week of an app's failures: an old secret, codes used twice, or a redirect URI with an
 * extra slash.
 */
export async function failAt(
  { id, trouble, redirectUris = [] }: App,
  chance: Chance,
  until: Date,
): Promise<void> {
  if (!trouble) return;
  const { why } = trouble;
  for (let times = trouble.percent * 2; times > 0; times--) {
    const at = randomMoment(chance, until);
    const from = whereFrom(chance);
    const event = { clientId: id, ...from };
    const refusal = refusals[why](redirectUris[0] ?? '');
    countRefusal(refusal.rule, id, at);
    recordTrace(
      {
        attempt: null,
        requestId: from.requestId,
        clientId: id,
        userId: null,
        step: why === 'address' ? 'authorize' : 'token',
        outcome: 'refused',
        refusal,
        behind: why === 'reuse' ? 'app' : 'nobody',
      },
      at,
    );
    const detail = { reason: refusal.reason };
    if (why === 'secret') await audit({ ...event, type: 'client-auth.failure', detail }, at);
    if (why === 'reuse') await audit({ ...event, type: 'code.reused' }, at);
  }
}
