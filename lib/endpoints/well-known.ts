import { config } from '../config.ts';
import { json, redirect } from '../http/answers.ts';
import type { HttpResponse } from '../http/message.ts';
import { passkeysPossible } from '../identity/passkeys.ts';

/**
 * Redirects password managers to the password form (W3C, A Well-Known URL for Changing Passwords).
 */
export async function changePassword(): Promise<HttpResponse> {
  return redirect('/account/sign-in#password');
}

/** W3C, A Well-Known URL for Relying Party Passkey Endpoints. */
export async function servePasskeyEndpoints(): Promise<HttpResponse> {
  const page = `${config().issuer}/account/security#passkeys`;
  return json(200, passkeysPossible() ? { enroll: page, manage: page } : {});
}
