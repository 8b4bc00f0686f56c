import { z } from 'zod';
import { first, type Params } from '../oauth/params.ts';
import { logoutParams } from '../oauth/post-logout.ts';
import { sealed } from '../sealed/sealed.ts';
import { formActionSource } from './pending-request.ts';

/**
 * The value of each parameter, or its values: a repeated parameter is refused later, when the
 * request is checked.
 */
const values = z.string().or(z.array(z.string()));

export const sealedLogout = sealed('logout', z.object({ p: z.record(z.string(), values) }), {
  max: 12_000,
});

/**
 * Seals a sign-out request for our URLs, because an ID token must not appear there in plain text.
 */
export function sealLogout(params: Params): Promise<string> {
  const p = Object.fromEntries(
    logoutParams.map((name) => [name, params.get(name)]).filter(([, sent]) => sent !== undefined),
  );
  return sealedLogout.seal({ p });
}

/** Opens a sealed sign-out request, or null. */
export async function openLogout(text: string | undefined): Promise<Params | null> {
  const request = await sealedLogout.open(text);
  return (
    request && new Map(Object.entries(request.p).map(([name, value]) => [name, [value].flat()]))
  );
}

/** The CSP source that lets the sign-out form redirect to the client. */
export async function logoutFormTarget(text: string): Promise<string> {
  const params = await openLogout(text);
  const uri = params && first(params, 'post_logout_redirect_uri');
  return uri && URL.canParse(uri) ? formActionSource(uri) : '';
}
