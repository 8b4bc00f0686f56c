import { z } from 'zod';
import { first, type Params } from '../oauth/params.ts';
import { sealed } from '../sealed/sealed.ts';
import { formActionSource } from './pending-request.ts';

/** The parameters of a sign-out request (OpenID Connect RP-Initiated Logout section 2). */
export const logoutParams = [
  'id_token_hint',
  'client_id',
  'post_logout_redirect_uri',
  'state',
  'logout_hint',
  'ui_locales',
] as const;

export const sealedLogout = sealed('logout', z.object({ p: z.record(z.string(), z.string()) }), {
  max: 12_000,
});

/** A sign-out request as one value for a URL of ours: an ID token does not belong there in the open. */
export function sealLogout(params: Params): Promise<string> {
  const p = Object.fromEntries(
    logoutParams
      .map((name) => [name, first(params, name)])
      .filter(([, value]) => value !== undefined),
  );
  return sealedLogout.seal({ p });
}

/** The request behind a sealed value, or null. */
export async function openLogout(text: string | undefined): Promise<Params | null> {
  const request = await sealedLogout.open(text);
  return request && new Map(Object.entries(request.p).map(([name, value]) => [name, [value]]));
}

/** The CSP source that lets the sign-out form lead on to the client. */
export async function logoutFormTarget(text: string): Promise<string> {
  const params = await openLogout(text);
  const uri = params && first(params, 'post_logout_redirect_uri');
  return uri && URL.canParse(uri) ? formActionSource(uri) : '';
}
