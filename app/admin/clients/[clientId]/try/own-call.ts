import { randomUUID } from 'node:crypto';
import { findTarget } from '#app/mounts.ts';
import { type HttpRequest, nothingKnown } from '#lib/http/message.ts';
import type { Sender } from '#lib/http/network.ts';
import { serve } from '#lib/http/serve.ts';

/** A request to an endpoint, and its answer, as text to read. */
export type Exchange = { request: string; status: number; answer: string };

type Call = Sender & {
  path: '/oauth/token' | '/oauth/me' | '/oauth/introspect' | '/oauth/revoke';
  /** The app being tried. This server makes the call for it, without its secret. */
  client: { id: string; type: 'public' | 'confidential' };
  /** The form to post; without one, the request is a GET. */
  fields?: Record<string, string>;
  bearer?: string;
};

const form = 'application/x-www-form-urlencoded';

/**
 * Calls an endpoint of this server as the app would, but within this process. All its checks apply
 * except that of the secret, which this server doesn't know.
 */
export async function callOwn(call: Call, now: Date): Promise<Exchange> {
  const { path, client, address, isShared, fields, bearer } = call;
  const body = fields && { client_id: client.id, ...fields };
  const headers: Record<string, string | undefined> = {
    'content-type': body && form,
    authorization: bearer && `Bearer ${bearer}`,
  };
  const request: HttpRequest = {
    method: body ? 'POST' : 'GET',
    path,
    query: '',
    id: randomUUID(),
    address,
    isShared,
    header: (name) => headers[name],
    repeatsAuthorization: () => false,
    body: async () => Buffer.from(new URLSearchParams(body).toString()),
    about: { ...nothingKnown(), isTrial: true },
    ...(!bearer && { trialOf: client.id }),
  };
  const target = findTarget(path, '');
  if (!target) throw new Error(`There is no endpoint at ${path}.`);
  const response = await serve(target.mount, request, now);
  return {
    request: textOf(call, body),
    status: response.status,
    answer: pretty(response.body ?? ''),
  };
}

/** The request as the app would send it. Its secret is not known here, so it is not shown. */
function textOf({ path, client, bearer }: Call, body?: Record<string, string>): string {
  const withSecret = body && client.type === 'confidential';
  return [
    `${body ? 'POST' : 'GET'} ${path}`,
    ...(body ? [`Content-Type: ${form}`] : []),
    ...(withSecret ? ['Authorization: Basic ••••• (the app’s ID and secret)'] : []),
    ...(bearer ? [`Authorization: Bearer ${bearer}`] : []),
    ...(body ? ['', linesOf(body)] : []),
  ].join('\n');
}

const linesOf = (body: Record<string, string>) =>
  Object.entries(body)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('\n&');

function pretty(body: string): string {
  return body.startsWith('{') ? JSON.stringify(JSON.parse(body), null, 2) : body;
}
