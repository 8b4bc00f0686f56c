import { auditKeptOut } from '#lib/access/kept-out.ts';
import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { networksOf, type Sender } from '#lib/http/network.ts';
import {
  confirmPage,
  readDeviceDecision,
  sealedUserCode,
} from '#lib/interaction/device-request.ts';
import { redirectWithFlash, withUser } from '#lib/interaction/form.ts';
import { readUserCode } from '#lib/oauth/device-grant.ts';
import { first } from '#lib/oauth/params.ts';
import { findWaitingByUserCode, noteCodeEntered } from '#lib/store/device-authorizations.ts';
import type { Session } from '#lib/store/sessions.ts';
import { type Counted, giveBackTry, minutesUntil, takeTries } from '#lib/store/throttles.ts';

/**
 * The maximum number of wrong codes in a quarter of an hour before a pause (RFC 8628 section 5.1).
 */
const wrongCodes = { perUser: 10, perAddress: 30, inAll: 1000 };

/** Takes the code the user typed. Unknown, expired and used codes all get the same answer. */
export async function submitUserCode(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return withUser(request, now, '/device', (session, fields) =>
    takeCode(first(fields, 'user_code') ?? '', session, request, now),
  );
}

async function takeCode(
  typed: string,
  { user }: Session,
  request: HttpRequest,
  now: Date,
): Promise<HttpResponse> {
  const values = { user_code: typed.slice(0, 40) };
  const code = readUserCode(typed);
  if (code === null)
    return redirectWithFlash('/device', {
      values,
      fieldErrors: { user_code: typed.trim() ? 'device.malformed' : 'device.missing' },
    });
  const counted = countedFor(user.id, request);
  const tried = await takeTries(counted, now);
  if ('refusedUntil' in tried) {
    const wait = minutesUntil(tried.refusedUntil, now);
    return redirectWithFlash('/device', { values, error: 'device.throttled', wait });
  }
  const device = await findWaitingByUserCode(code, now);
  if (!device)
    return redirectWithFlash('/device', { values, fieldErrors: { user_code: 'device.unknown' } });
  for (const { key } of counted) await giveBackTry(key);
  await noteCodeEntered(device.id, now);
  const about = { attempt: device.id, clientId: device.clientId, userId: user.id };
  Object.assign(request.about, { ...about, behind: 'person' });
  return ask(await sealedUserCode.seal({ d: device.id }, request, now), request, now);
}

/**
 * Continues to the page that asks. If the user may not use the app, that page says so, and it is
 * recorded.
 */
async function ask(sealedCode: string, request: HttpRequest, now: Date): Promise<HttpResponse> {
  const page = redirect(confirmPage(sealedCode));
  const asked = await readDeviceDecision(request, sealedCode, now);
  if (!('keptOut' in asked)) {
    request.about.outcome = 'consent';
    return page;
  }
  const { refusal } = asked.keptOut;
  await auditKeptOut(refusal, request, now);
  return { ...page, refusal };
}

/** The widest counter first. */
function countedFor(userId: string, sender: Sender): Counted[] {
  const { perUser, perAddress, inAll } = wrongCodes;
  return [
    { key: 'user-code', limit: inAll },
    ...networksOf(sender).map(({ network, share }) => ({
      key: `user-code:${network}`,
      limit: perAddress * share,
    })),
    { key: `user-code:of ${userId}`, limit: perUser, userId },
  ];
}
