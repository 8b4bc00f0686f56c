import type { HttpRequest } from '../http/message.ts';
import type { OwnAddress, OwnPath } from '../http/own-address.ts';
import { backOf, signInAt, whereSignInLeads } from '../identity/back.ts';
import { readBoundFlow } from '../identity/flow.ts';
import { first, type Params } from '../oauth/params.ts';

/** Where a sign-in leads: on with an authorization request, or back to a page of ours. */
export type Way = {
  sealed: string | undefined;
  flowId: string | undefined;
  back: OwnAddress | undefined;
};

/** A sign-in that leads to the account. */
export const plainWay: Way = { sealed: undefined, flowId: undefined, back: undefined };

/** The way in a form or an address. @throws PageRefusal for a flow that is not this browser's */
export async function readWay(fields: Params, request: Pick<HttpRequest, 'header'>): Promise<Way> {
  const sealed = first(fields, 'flow');
  const flow = sealed === undefined ? null : await readBoundFlow(sealed, request);
  return { sealed, flowId: flow?.id, back: backOf(first(fields, 'back')) };
}

/** A page of the sign-in, on this way. */
export function at(path: OwnPath, { sealed, back }: Pick<Way, 'sealed' | 'back'>): OwnAddress {
  if (sealed !== undefined) return `${path}?flow=${sealed}`;
  return back === undefined ? path : signInAt(back, path);
}

/** Where the way ends, once the person is signed in. */
export function endOf({ sealed, back }: Pick<Way, 'sealed' | 'back'>): OwnAddress {
  return sealed === undefined ? (back ?? whereSignInLeads) : `/oauth/continue?flow=${sealed}`;
}

/** Names a page of a flow for its notices. */
export function noticePage(page: string, flowId: string | undefined): string {
  return `${page} ${flowId ?? ''}`;
}
