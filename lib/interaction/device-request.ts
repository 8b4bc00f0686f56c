import { z } from 'zod';
import type { KeptOut } from '../access/passage.ts';
import { passageOf } from '../access/visitor.ts';
import type { PageRequest, VisitorRequest } from '../http/message.ts';
import type { OwnAddress } from '../http/own-address.ts';
import { readSession } from '../identity/session.ts';
import type { Api } from '../oauth/api.ts';
import type { Client } from '../oauth/client.ts';
import { deviceCodeLife } from '../oauth/device-grant.ts';
import { deviceGrant } from '../oauth/grant-types.ts';
import { wordsAsked } from '../oauth/grant-words.ts';
import { identifiersIn } from '../oauth/resource.ts';
import { mayHaveAll } from '../oauth/scope.ts';
import { lackOf } from '../oauth/sign-in-rules.ts';
import { sealed } from '../sealed/sealed.ts';
import { apisAt } from '../store/apis.ts';
import { clientAt } from '../store/clients.ts';
import { type Device, findWaitingDevice } from '../store/device-authorizations.ts';
import { scopesAt } from '../store/scopes.ts';
import { type RequestContext, readContext } from './context.ts';
import type { Decision } from './decision/decision.ts';
import { type Account, findKeptOut } from './kept-out.ts';
import type { Elsewhere } from './page.ts';
import { signInAt } from './return-to.ts';

/** It travels in the address of the page that asks about it. */
export const sealedUserCode = sealed('user-code', z.object({ d: z.string() }), {
  max: 500,
  bound: 'browser',
  life: deviceCodeLife,
  clock: 'e',
});

/** The page with the field for the code, which is filled in if a code was typed. */
export function devicePage(typed?: string): OwnAddress {
  return typed ? `/device?user_code=${encodeURIComponent(typed)}` : '/device';
}

/** The page which says that a code is no longer valid. */
export const devicePageOver = '/device/over' satisfies OwnAddress;

/** The page that asks whether to let the device in. */
export function confirmPage(sealedCode: string): OwnAddress {
  return `/device/confirm?device=${sealedCode}`;
}

/** The sign-in page, which leads back to that page. */
export function signInForDevice(sealedCode: string): OwnAddress {
  return signInAt(confirmPage(sealedCode));
}

/** A device that a user is asked about, with what it asks for. */
type DeviceRequest = {
  device: Device;
  client: Client;
  apis: readonly Api[];
  /** What the user would consent to, as words of a grant. */
  words: string[];
};
export type DeviceDecision = Decision & { device: Device };
/** Not from this place or at all. They need not be signed in to be told so. */
export type DeviceKeptOut = DeviceRequest & {
  visit: RequestContext;
  account: Account;
  keptOut: KeptOut;
};

/**
 * Reads the device of a sealed code and the user who is asked about it. Judges them as for an
 * authorization request: first where the user is and whether they may use the app, then how they
 * signed in.
 */
export async function readDeviceDecision(
  request: VisitorRequest,
  sealedCode: string,
  now: Date,
): Promise<DeviceDecision | DeviceKeptOut | Elsewhere> {
  const visit = await readContext(request, now);
  const found = await findRequest(sealedCode, request, visit.revision, now);
  if (!found) return { elsewhere: devicePageOver };
  const { session } = visit;
  const { client } = found;
  const asked = { ...found, visit };
  const kept = await findKeptOut({ id: found.device.id, client, visit }, request, now);
  if (kept.verdict?.page === 'no-access' && kept.account)
    return { ...asked, account: kept.account, keptOut: kept.verdict };
  const verdict = await passageOf(client, { ...visit, canBeAsked: true }, () =>
    session && lackOf(client, session, now) ? 'again' : 'good',
  );
  if (verdict.page === 'approval') return { elsewhere: devicePageOver };
  if (verdict.page === 'terms')
    return { elsewhere: signInAt(confirmPage(sealedCode), '/login/terms') };
  if (!session || verdict.page !== null) return { elsewhere: signInForDevice(sealedCode) };
  const page = confirmPage(sealedCode);
  const at = { destination: '', page, flash: page };
  return { kind: 'device', id: found.device.id, ...asked, session, ...at };
}

/** Null if its client, scopes or APIs are no longer what it asked for. */
async function findRequest(
  sealedCode: string | undefined,
  request: PageRequest,
  revision: number,
  now: Date,
): Promise<DeviceRequest | null> {
  const opened = await sealedUserCode.open(sealedCode, request, now);
  const device = opened && (await findWaitingDevice(opened.d, now));
  const client = device && (await clientAt(revision, device.clientId));
  if (!client || client.disabled || !client.grants.includes(deviceGrant)) return null;
  const named = identifiersIn(device.resources);
  const apis = (await apisAt(revision)).filter(({ identifier }) => named.includes(identifier));
  if (apis.length < named.length) return null;
  const scope = identifiersIn(device.scope);
  const known = await scopesAt(revision);
  if (!mayHaveAll(scope, client, known, apis)) return null;
  const words = wordsAsked(scope, apis, known);
  return { device, client, apis, words };
}

const confirmAt = /^\/device\/confirm\?device=([\w.-]+)$/;

/** Whether it leads to a device: then it is required even of those signed in. */
export const isForDevice = (back: string | undefined) => back !== undefined && confirmAt.test(back);

/** The device that a sign-in leads to, with its client; null if it leads elsewhere. */
export async function deviceBehind(
  back: string | undefined,
  request: PageRequest,
  now: Date,
): Promise<(Pick<DeviceRequest, 'device' | 'client'> & { page: OwnAddress }) | null> {
  const [, sealedCode] = confirmAt.exec(back ?? '') ?? [];
  if (sealedCode === undefined) return null;
  const { revision } = await readSession(request, now);
  const found = await findRequest(sealedCode, request, revision, now);
  return found && { ...found, page: confirmPage(sealedCode) };
}
