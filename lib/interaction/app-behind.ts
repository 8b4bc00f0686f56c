import { type HttpRequest, nothingKnown } from '../http/message.ts';
import type { OwnAddress } from '../http/own-address.ts';
import type { Client } from '../oauth/client.ts';
import { isRefusal } from '../oauth/errors.ts';
import { asksForMore } from '../oauth/sign-in-asked.ts';
import { checkRequest, readContext } from './context.ts';
import { deviceBehind } from './device-request.ts';
import { openPendingRequest, type PendingRequest, sealPendingRequest } from './pending-request.ts';
import type { ReturnTo } from './return-to.ts';

export type AppBehind = {
  client: Client;
  /** The id of its pending request, or of the device. */
  id: string;
  /**
   * The address of the page that tells its user they may not use it; takes the id of the request
   * that found out.
   */
  pageOf: (requestId: string) => Promise<OwnAddress>;
  /**
   * The app requires a second factor: always, or for this request (`acr` as an essential claim).
   */
  insists: boolean;
  /**
   * The app asks for a fresh sign-in, or for a second factor if the user has one. A remembered
   * device is then not enough.
   */
  wantsProof: boolean;
};

/**
 * The app that a sign-in leads to: the app of the pending request, or of the device whose code was
 * typed. Null if the sign-in leads elsewhere, or the app's request is no longer valid.
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
    // The client has been deleted or restricted in the meantime. The pending request reports that
    // when it continues.
    if (isRefusal(error)) return null;
    throw error;
  }
}

async function noAccessPage(flow: PendingRequest, keptOutBy: string): Promise<OwnAddress> {
  return `/no-access?flow=${await sealPendingRequest({ ...flow, keptOutBy })}`;
}
