import { type HttpRequest, nothingKnown } from '../http/message.ts';
import type { OwnAddress } from '../http/own-address.ts';
import type { Client } from '../oauth/client.ts';
import { isRefusal } from '../oauth/errors.ts';
import { asksForMore } from '../oauth/sign-in-asked.ts';
import { checkRequest, readContext } from './context.ts';
import { deviceBehind } from './device-request.ts';
import { openPendingRequest, type PendingRequest, sealPendingRequest } from './pending-request.ts';
import type { ReturnTo } from './return-to.ts';

/** The app that a sign-in leads to. */
export type AppBehind = {
  client: Client;
  /** Of its pending request, or of the device. */
  id: string;
  /** The page where somebody reads that they may not use it, since this request. */
  pageOf: (requestId: string) => Promise<OwnAddress>;
  /** It insists on a second factor: always, or now (`acr` as an essential claim). */
  insists: boolean;
  /** It asks for a sign-in that is fresh, or for a second factor if there is one: no remembered device does. */
  wantsProof: boolean;
};

/**
 * The app that a sign-in leads to: of the pending request, or of the device whose code was typed.
 * Null: it leads elsewhere, or the app's request is no good any more.
 */
export async function appBehind(
  { sealed, back }: ReturnTo,
  request: HttpRequest,
  now: Date,
): Promise<AppBehind | null> {
  const flow = await openPendingRequest(sealed);
  if (!flow) {
    const found = await deviceBehind(back, request, now);
    if (!found) return null;
    const { client, device, page } = found;
    const insists = client.requireSecondFactor;
    return { client, id: device.id, insists, wantsProof: true, pageOf: async () => page };
  }
  try {
    const checked = await checkRequest(
      { params: flow.params, pushed: flow.pushedAt !== null },
      await readContext(request, now),
      nothingKnown(),
      now,
    );
    const { client, request: asked } = checked;
    const insists = client.requireSecondFactor || asked.acr?.essential === true;
    const wantsProof = insists || asksForMore(asked, client);
    return { client, id: flow.id, insists, wantsProof, pageOf: (by) => noAccessPage(flow, by) };
  } catch (error) {
    // The client has been deleted or restricted in the meantime: the pending request reports that
    // when it continues.
    if (isRefusal(error)) return null;
    throw error;
  }
}

async function noAccessPage(flow: PendingRequest, keptOutBy: string): Promise<OwnAddress> {
  return `/no-access?flow=${await sealPendingRequest({ ...flow, keptOutBy })}`;
}
