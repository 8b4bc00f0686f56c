import { json } from '../../http/answers.ts';
import type { HttpRequest, HttpResponse } from '../../http/message.ts';
import { isRefusal } from '../../oauth/errors.ts';
import { usualSiteHeaders } from '../../oauth/site.ts';
import { doctorHeader, isDoctorPass } from '../../sealed/doctor.ts';
import { clientAt, guardedAt } from '../../store/clients.ts';
import { readRevision } from '../../store/engine/revision.ts';
import { askerOf, senderBehind } from './asker.ts';
import { type Asked, forwardedHeaders, type ProxyKind, readAsked } from './forwarded.ts';

const echoPath = '/.gatehouse/echo';

/** Whether this server's own check asks what of its request has come through the proxy. */
export function asksForEcho(below: string, request: HttpRequest, now: Date): boolean {
  if (!isDoctorPass(request.header(doctorHeader), now)) return false;
  const targets = [below, request.header('x-original-url'), request.header('x-forwarded-uri')];
  return targets.some((target) => target?.includes(echoPath));
}

/**
 * What arrived here of a request that this server sent to a site through its proxy. The status is
 * not 2xx, because proxies then pass the answer on.
 */
export async function echo(
  kind: ProxyKind,
  below: string,
  request: HttpRequest,
): Promise<HttpResponse> {
  const asked = await readOrNull(kind, below, request);
  const revision = await readRevision();
  const guarded = asked && (await guardedAt(revision, asked.host));
  const client = guarded && (await clientAt(revision, guarded.clientId));
  const names = [...Object.keys(usualSiteHeaders), ...Object.keys(client?.siteHeaders ?? {})];
  const arrived = [...forwardedHeaders, 'x-forwarded-for', 'x-real-ip', 'host'].flatMap((name) => {
    const value = request.header(name);
    return value === undefined ? [] : [[name, value.slice(0, 500)]];
  });
  const asker = askerOf(request);
  const { address, isShared } = senderBehind(asker, request);
  const told = {
    proxy: kind,
    asker: asker ?? 'unknown',
    peer: request.peer ?? null,
    address,
    isShared,
    method: asked?.method ?? null,
    host: asked?.host ?? null,
    uri: asked && (asked.query === '' ? asked.path : `${asked.path}?${asked.query}`),
    site: guarded?.site ?? null,
    clientId: client?.id ?? null,
    forwarded: Object.fromEntries(arrived),
    forged: names.map((name) => name.toLowerCase()).filter((name) => request.header(name)),
  };
  return json(403, told, { 'x-gatehouse-echo': '1' });
}

async function readOrNull(
  kind: ProxyKind,
  below: string,
  request: HttpRequest,
): Promise<Asked | null> {
  try {
    return readAsked(kind, below, request);
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}
