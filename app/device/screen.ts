import type { PageRequest } from '#lib/http/message.ts';
import { readSession } from '#lib/identity/session.ts';
import { devicePage } from '#lib/interaction/device-request.ts';
import { type Flash, readFlash } from '#lib/interaction/flash.ts';
import { csrfOfRequest, type Elsewhere } from '#lib/interaction/page.ts';
import { signInAt } from '#lib/interaction/return-to.ts';
import { readUserCode, shownUserCode } from '#lib/oauth/device-grant.ts';

type DeviceScreen = { csrf: string; code: string; notice: Flash | null };

/**
 * Reads the page that takes a device's code, or where to sign in first. A code in the address is
 * kept.
 */
export async function readDeviceScreen(
  request: PageRequest,
  typed: string,
  now: Date,
): Promise<DeviceScreen | Elsewhere> {
  const known = readUserCode(typed);
  const code = known === null ? '' : shownUserCode(known);
  const { session } = await readSession(request, now);
  if (!session) return { elsewhere: signInAt(devicePage(code)) };
  const notice = await readFlash(request, '/device');
  return { csrf: csrfOfRequest(request), code: notice?.values?.user_code ?? code, notice };
}
