import { allowDevice } from '#lib/endpoints/allow-device.ts';
import { actorAt } from '#lib/http/actor.ts';
import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { visitedBy } from '#lib/interaction/context.ts';
import {
  confirmPage,
  type DeviceVisit,
  devicePageOver,
  readDeviceVisit,
} from '#lib/interaction/device-request.ts';
import { readForm, redirectWithFlash } from '#lib/interaction/form.ts';
import { first } from '#lib/oauth/params.ts';
import { eventBy } from '#lib/store/actor.ts';
import { denyDevice } from '#lib/store/device-authorizations.ts';
import { wasSeen } from './screen.ts';

/** Handles the decision about a device: it gets exactly what was shown, or nothing. */
export async function submitDevice(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const fields = await readForm(request);
  const sealedCode = first(fields, 'device') ?? '';
  const asked = await readDeviceVisit(request, sealedCode, now);
  if ('elsewhere' in asked) return redirect(asked.elsewhere);
  const { about } = request;
  about.attempt = asked.device.id;
  about.clientId = asked.client.id;
  visitedBy(asked.visit, about);
  if ('keptOut' in asked) return redirect(confirmPage(sealedCode));
  const decision = first(fields, 'decision');
  if (!(await wasSeen(first(fields, 'seen'), asked)))
    return redirectWithFlash(confirmPage(sealedCode), { error: 'consent.changed' });
  if (decision !== 'allow' && decision !== 'deny') return redirect(confirmPage(sealedCode));
  about.outcome = decision === 'deny' ? 'denied' : 'done';
  return redirect(await decide(decision, asked, request, now));
}

async function decide(
  decision: 'allow' | 'deny',
  asked: DeviceVisit,
  request: HttpRequest,
  now: Date,
) {
  const { device, client, session } = asked;
  const actor = actorAt(request, session.user.id);
  if (decision === 'allow')
    return (await allowDevice(asked, actor, now)) ? '/device/allowed' : devicePageOver;
  const about = { userId: session.user.id, clientId: client.id };
  const event = eventBy(actor, 'device.denied', about);
  const denied = await denyDevice(device.id, session.user.id, event, now);
  return denied ? '/device/denied' : devicePageOver;
}
