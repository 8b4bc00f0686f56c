import { allowDevice } from '#lib/endpoints/allow-device.ts';
import { actorAt } from '#lib/http/actor.ts';
import { redirect } from '#lib/http/answers.ts';
import type { HttpRequest, HttpResponse } from '#lib/http/message.ts';
import { visitedBy } from '#lib/interaction/context.ts';
import { type Answering, takeDecision } from '#lib/interaction/decision/take.ts';
import {
  confirmPage,
  type DeviceDecision,
  devicePageOver,
  readDeviceDecision,
} from '#lib/interaction/device-request.ts';
import { first, type Params } from '#lib/oauth/params.ts';
import { eventBy } from '#lib/store/actor.ts';
import { denyDevice } from '#lib/store/device-authorizations.ts';

export function submitDevice(request: HttpRequest, now: Date): Promise<HttpResponse> {
  return takeDecision(request, { read, allow, deny }, now);
}

async function read(request: HttpRequest, fields: Params, now: Date) {
  const sealedCode = first(fields, 'device') ?? '';
  const asked = await readDeviceDecision(request, sealedCode, now);
  if ('elsewhere' in asked) return asked;
  const { about } = request;
  about.attempt = asked.device.id;
  about.clientId = asked.client.id;
  visitedBy(asked.visit, about);
  return 'keptOut' in asked ? { elsewhere: confirmPage(sealedCode) } : asked;
}

async function allow(asked: DeviceDecision, { request }: Answering, now: Date) {
  const allowed = await allowDevice(asked, actorAt(request, asked.session.user.id), now);
  return redirect(allowed ? '/device/allowed' : devicePageOver);
}

async function deny(
  { device, client, session: { user } }: DeviceDecision,
  { request }: Answering,
  now: Date,
): Promise<HttpResponse> {
  const about = { userId: user.id, clientId: client.id };
  const event = eventBy(actorAt(request, user.id), 'device.denied', about);
  const denied = await denyDevice(device.id, user.id, event, now);
  return redirect(denied ? '/device/denied' : devicePageOver);
}
