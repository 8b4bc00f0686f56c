import { z } from 'zod';
import { refusePage } from '../oauth/errors.ts';
import { first, type Params } from '../oauth/params.ts';
import { readResources, repeatable } from '../oauth/resource.ts';
import { sealed } from '../sealed/sealed.ts';

/*
 * An authorization request that its client pushed (RFC 9126). The request_uri contains all of it,
 * sealed, so no row is written. The pending request made from it has the same id, and that id
 * yields one code: the request_uri is spent when a code is issued, not when a page is loaded (FAPI
 * 2.0 Security Profile section 5.3.2.2).
 */

/** The beginning of every request_uri of this server (RFC 9126 section 2.2). */
const prefix = 'urn:ietf:params:oauth:request_uri:';
/** Seconds within which a pushed request has to arrive in a browser. */
export const pushedLife = 60;

export const sealedPushedRequest = sealed(
  'pushed',
  z.object({
    i: z.string(),
    t: z.number(),
    p: z.record(z.string(), z.string()),
    /** The values of `resource`, which may repeat; missing if there are none. */
    a: z.array(z.string()).optional(),
  }),
  { max: 7600 },
);

/** The request_uri for pushed parameters; null if they are too long for an address. */
export async function requestUriOf(params: Params, id: string, now: Date): Promise<string | null> {
  const resources = readResources(params);
  const rest = [...params].filter(([name]) => name !== repeatable);
  const text = await sealedPushedRequest.seal({
    i: id,
    t: now.getTime(),
    p: Object.fromEntries(rest.map(([name, values]) => [name, values[0] ?? ''])),
    ...(resources.length > 0 && { a: resources }),
  });
  return text.length > 7600 ? null : prefix + text;
}

type Pushed = { id: string; params: Params; at: Date };

/** Whether a request names a request_uri of this server, valid or not. */
export const namesPushed = (params: Params): boolean =>
  first(params, 'request_uri')?.startsWith(prefix) === true;

/** Opens a request_uri, expired or not; null if this server did not make it. */
export async function openPushed(uri: string): Promise<Pushed | null> {
  const opened = await sealedPushedRequest.open(uri.slice(prefix.length));
  if (!opened) return null;
  const { i, t, p, a = [] } = opened;
  const params = new Map(Object.entries(p).map(([name, value]) => [name, [value]]));
  if (a.length > 0) params.set(repeatable, a);
  return { id: i, params, at: new Date(t) };
}

export const secondsSince = (then: Date, now: Date): number =>
  (now.getTime() - then.getTime()) / 1000;

/**
 * Refuses a pushed request that has expired. @throws PageRefusal always
 * @param age seconds since it was pushed
 */
export function refusePushedOver(age: number): never {
  refuseRequestUri(`one that was pushed ${Math.ceil(age)} s ago`);
}

/**
 * Refuses a request_uri. @throws PageRefusal always
 * @param received what the request_uri is, in words
 */
export function refuseRequestUri(received: string): never {
  refusePage(
    'request_uri_invalid',
    'The request_uri is unknown, has expired or belongs to another client.',
    'invalid_request',
    {
      facts: {
        rule: 'request-uri.invalid',
        received,
        expected: [`one that this client pushed at most ${pushedLife} s ago`],
      },
    },
  );
}
