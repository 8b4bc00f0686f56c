import { redirect } from '../http/answers.ts';
import type { HttpResponse } from '../http/message.ts';

/**
 * Redirects password managers to the password form (W3C, A Well-Known URL for Changing Passwords).
 */
export async function changePassword(): Promise<HttpResponse> {
  return redirect('/account/sign-in#password');
}
