import type { VisitorRequest } from '#lib/http/message.ts';
import { readFlash } from '#lib/interaction/flash.ts';
import { readLoginScreen } from './screen.ts';

/** Read by several pages around sign-in: the pending request and the last form's message. */
export async function readWaiting(
  request: VisitorRequest,
  page: string,
  sealed: string | undefined,
  now: Date,
) {
  const screen = await readLoginScreen(request, sealed, now);
  if ('elsewhere' in screen) return screen;
  return {
    csrf: screen.csrf,
    sealed: screen.sealed,
    appName: screen.app?.name,
    loginHint: screen.checked?.request.loginHint,
    notice: await readFlash(request, page),
  };
}
