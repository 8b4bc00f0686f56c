import { z } from 'zod';
import type { PageRequest } from '../http/message.ts';
import { knownParams, pendingRequestLife } from '../oauth/authorization-request.ts';
import { refuse, refusePage } from '../oauth/errors.ts';
import { first, type Params } from '../oauth/params.ts';
import { redirectKind } from '../oauth/redirect-uri.ts';
import { readResources, repeatable } from '../oauth/resource.ts';
import { newId } from '../oauth/secrets.ts';
import { browserDigest, isBoundTo } from '../sealed/browser.ts';
import { sealed } from '../sealed/sealed.ts';

/**
 * An authorization request that waits for its user. It travels sealed in the URLs of our pages and
 * is bound to one browser. No row is written.
 */
export type PendingRequest = {
  id: string;
  startedAt: Date;
  /** Null, not bound yet, after a POST: it carries no cookie. */
  browser: string | null;
  params: Params;
  /** The response URI at the time the request was checked. Used only for page headers. */
  redirectUri: string;
  /** The session of the admin who tries the app with this request; null if the app itself asks. */
  triedBy: string | null;
  /** When its client pushed the request (RFC 9126); null if it came in the address. */
  pushedAt: Date | null;
  /**
   * The user whose account was chosen for this request on our page. Their present sign-in then
   * satisfies `select_account`.
   */
  chosen?: string | undefined;
  /** The id of the HTTP request in which its user was kept out. The app is sent this id. */
  keptOutBy?: string | undefined;
};

/** Longer URLs fail in proxies and browsers. */
const max = 8000;

/** Checked here, not by `sealed`: unbound, foreign and expired lead to three pages. */
export const sealedPendingRequest = sealed(
  'flow',
  z.object({
    i: z.string(),
    t: z.number(),
    b: z.string().nullable(),
    p: z.record(z.string(), z.string()),
    /** The values of `resource`, which may repeat; missing if there are none. */
    a: z.array(z.string()).optional(),
    r: z.string(),
    x: z.string().optional(),
    k: z.string().optional(),
    c: z.string().optional(),
    u: z.number().optional(),
  }),
  { max },
);

/** Arrives, with its response URI and the browser; null: not bound yet. */
type Arrived = Pick<PendingRequest, 'params' | 'redirectUri' | 'browser'> & {
  triedBy?: string | null;
  /** The pushed request that it was. Its id is kept, so that it yields only one code. */
  pushed?: { id: string; at: Date } | null;
};

export function newPendingRequest(
  { params, redirectUri, browser, triedBy = null, pushed = null }: Arrived,
  now: Date,
): PendingRequest {
  return {
    id: pushed?.id ?? newId(now),
    startedAt: now,
    browser: browser && browserDigest(browser),
    params,
    redirectUri,
    triedBy,
    pushedAt: pushed?.at ?? null,
  };
}

/**
 * Seals a pending request for a URL.
 * @throws OAuthRefusal invalid_request if it is too long
 */
export async function sealPendingRequest(flow: PendingRequest): Promise<string> {
  const p = Object.fromEntries(
    knownParams.flatMap((name) => {
      const value = first(flow.params, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const resources = readResources(flow.params);
  const text = await sealedPendingRequest.seal({
    i: flow.id,
    t: flow.startedAt.getTime(),
    b: flow.browser,
    p,
    ...(resources.length > 0 && { a: resources }),
    r: flow.redirectUri,
    ...(flow.triedBy !== null && { x: flow.triedBy }),
    ...(flow.keptOutBy !== undefined && { k: flow.keptOutBy }),
    ...(flow.chosen !== undefined && { c: flow.chosen }),
    ...(flow.pushedAt && { u: flow.pushedAt.getTime() }),
  });
  if (text.length > max) refuse('invalid_request', 'The parameters are too long in total.');
  return text;
}

/** Opens a sealed pending request, bound or not, expired or not; null if it isn't one. */
export async function openPendingRequest(text: string | undefined): Promise<PendingRequest | null> {
  const flow = await sealedPendingRequest.open(text);
  if (!flow) return null;
  const { i, t, b, p, a = [], r, x = null, k, c, u } = flow;
  const params = new Map(Object.entries(p).map(([name, value]) => [name, [value]]));
  if (a.length > 0) params.set(repeatable, a);
  const startedAt = new Date(t);
  const marks = {
    triedBy: x,
    keptOutBy: k,
    chosen: c,
    pushedAt: u === undefined ? null : new Date(u),
  };
  return { id: i, startedAt, browser: b, params, redirectUri: r, ...marks };
}

/**
 * Whether a pending request has expired. A pushed request expires an hour after it was pushed, no
 * matter when it arrived in a browser. So every pending request made from it has expired before its
 * record of having yielded a code is deleted.
 */
export function isExpired({ startedAt, pushedAt }: PendingRequest, now: Date): boolean {
  return now.getTime() - (pushedAt ?? startedAt).getTime() > pendingRequestLife * 1000;
}

/**
 * Opens the pending request of this browser, which may have expired.
 * @throws PageRefusal if it is invalid or belongs to another browser
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

/** Opens a stored pending request if it belongs to this browser, else null. */
export async function pendingRequestOfBrowser(
  text: string | null,
  request: PageRequest,
): Promise<PendingRequest | null> {
  const flow = text === null ? null : await openPendingRequest(text);
  return flow && isBoundTo(flow.browser, request) ? flow : null;
}

/**
 * The CSP source for the place that this request leads to, because Chrome applies `form-action` to
 * redirects after the post. '' if the value is invalid.
 */
export async function formActionTarget(text: string): Promise<string> {
  const flow = await openPendingRequest(text);
  return flow ? formActionSource(flow.redirectUri) : '';
}

/** A URI as a CSP source. */
export function formActionSource(uri: string): string {
  const kind = redirectKind(uri);
  const url = new URL(uri);
  // CSP can't express IPv6 hosts, or hosts of other schemes.
  return kind === 'private-use' || url.hostname.startsWith('[') ? url.protocol : url.origin;
}
