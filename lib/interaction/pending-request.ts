import { z } from 'zod';
import type { PageRequest } from '../http/message.ts';
import { knownParams, pendingRequestLife } from '../oauth/authorization-request.ts';
import { refuse, refusePage } from '../oauth/errors.ts';
import { first, type Params } from '../oauth/params.ts';
import { redirectKind } from '../oauth/redirect-uri.ts';
import { newId } from '../oauth/secrets.ts';
import { browserDigest, isBoundTo } from '../sealed/browser.ts';
import { sealed } from '../sealed/sealed.ts';

/**
 * An authorization request that waits for its person. It travels sealed in the URL of our own
 * pages and is bound to one browser; no row is written for it.
 */
export type PendingRequest = {
  id: string;
  startedAt: Date;
  /** Digest of the browser's value; null: made by a POST that reads no cookie, not bound yet. */
  browser: string | null;
  params: Params;
  /** Where the answer goes, as it was when the request was checked; for the page's headers only. */
  redirectUri: string;
};

/** A URL longer than this fails in proxies and browsers. */
const max = 8000;

/**
 * Its browser and its time are judged here and not by `sealed`: one that is not bound yet, one of
 * another browser and one that has expired lead to three different pages.
 */
export const sealedPendingRequest = sealed(
  'flow',
  z.object({
    i: z.string(),
    t: z.number(),
    b: z.string().nullable(),
    p: z.record(z.string(), z.string()),
    r: z.string(),
  }),
  { max },
);

export function newPendingRequest(
  params: Params,
  redirectUri: string,
  browser: string | null,
  now: Date,
): PendingRequest {
  return {
    id: newId(now),
    startedAt: now,
    browser: browser && browserDigest(browser),
    params,
    redirectUri,
  };
}

/** The flow as one value for a URL. @throws OAuthRefusal invalid_request when it is too long */
export async function sealPendingRequest(flow: PendingRequest): Promise<string> {
  const p = Object.fromEntries(
    knownParams.flatMap((name) => {
      const value = first(flow.params, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const text = await sealedPendingRequest.seal({
    i: flow.id,
    t: flow.startedAt.getTime(),
    b: flow.browser,
    p,
    r: flow.redirectUri,
  });
  if (text.length > max) refuse('invalid_request', 'The parameters are too long in total.');
  return text;
}

/** The flow behind a sealed value, bound or not, expired or not; null when it is none of ours. */
export async function openPendingRequest(text: string | undefined): Promise<PendingRequest | null> {
  const flow = await sealedPendingRequest.open(text);
  if (!flow) return null;
  const { i, t, b, p, r } = flow;
  const params = new Map(Object.entries(p).map(([name, value]) => [name, [value]]));
  return { id: i, startedAt: new Date(t), browser: b, params, redirectUri: r };
}

export function isExpired(flow: PendingRequest, now: Date): boolean {
  return now.getTime() - flow.startedAt.getTime() > pendingRequestLife * 1000;
}

/**
 * The flow of this request, if it belongs to this browser; it may have expired.
 * @throws PageRefusal for a flow that is none, or another browser's
 */
export async function readPendingRequest(
  text: string | undefined,
  request: PageRequest,
): Promise<PendingRequest> {
  const flow = await openPendingRequest(text);
  if (!flow) refusePage('flow_invalid', 'The flow value was not issued by this server.');
  if (!isBoundTo(flow.browser, request))
    refusePage('flow_foreign', 'The flow belongs to another browser.');
  return flow;
}

/** A flow that was put away, if this is the browser it belongs to; elsewhere it is as if there were none. */
export async function pendingRequestOfBrowser(
  text: string | null,
  request: PageRequest,
): Promise<PendingRequest | null> {
  const flow = text === null ? null : await openPendingRequest(text);
  return flow && isBoundTo(flow.browser, request) ? flow : null;
}

/**
 * The CSP source that lets a form on our page lead to where this flow ends: Chrome applies
 * `form-action` to redirects after the post. '' when the value is no flow of ours.
 */
export async function formActionTarget(text: string): Promise<string> {
  const flow = await openPendingRequest(text);
  return flow ? formActionSource(flow.redirectUri) : '';
}

/** An address as a CSP source. */
export function formActionSource(uri: string): string {
  const kind = redirectKind(uri);
  const url = new URL(uri);
  // CSP has no way to write an IPv6 host, nor one for hosts of other schemes.
  return kind === 'private-use' || url.hostname.startsWith('[') ? url.protocol : url.origin;
}
