import { type LookupAddress, lookup as resolve } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import ipaddr from 'ipaddr.js';
import { config } from '../config.ts';
import { isLoopbackHost } from '../oauth/redirect-uri.ts';
import { waitsFor } from '../store/engine/transaction.ts';
import { beginCall } from '../telemetry/spans.ts';

const timeout = 5000;
/** Bytes: draft-ietf-oauth-client-id-metadata-document-02 section 8.7 */
const mostBytes = {
  'metadata document': 5 * 1024,
  'key set': 16 * 1024,
  'issuer metadata': 32 * 1024,
};

/** The setting that allows one kind of call to reach private addresses. */
type Way = { variable: string; isOpen: () => boolean };
const backchannel: Way = {
  variable: 'BACKCHANNEL_TO_PRIVATE_ADDRESSES',
  isOpen: () => config().backchannelToPrivateAddresses,
};
const documents: Way = {
  variable: 'CLIENT_DOCUMENTS_FROM_PRIVATE_ADDRESSES',
  isOpen: () => config().clientDocumentsFromPrivateAddresses,
};

const providers: Way = {
  variable: 'PROVIDERS_AT_PRIVATE_ADDRESSES',
  isOpen: () => config().providersAtPrivateAddresses,
};

/** Completes the message of each refusal to call a private address. */
const whatAllows = ({ variable }: Way) =>
  `; ${variable}=on in the environment allows private ones.`;

/** A client's must not reach into the operator's network. */
function isAllowed(address: string, way: Way): boolean {
  if (way.isOpen()) return true;
  const parsed = ipaddr.process(address);
  if (cloudServices.has(parsed.toString())) return false;
  return parsed.range() === 'unicast' && !isIpv4Compatible(parsed);
}

/** Public, but only inside a cloud: the Azure agent. Metadata is link-local or private. */
const cloudServices = new Set(['168.63.129.16']);

/** All of ::/96, the deprecated IPv4-compatible addresses (RFC 4291 section 2.5.5.1). */
function isIpv4Compatible(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address.kind() === 'ipv6' && address.match(ipaddr.parseCIDR('::/96'));
}

/**
 * A lookup that returns allowed addresses only. The connection uses the address that was checked.
 */
const lookupFor = (way: Way): typeof resolve =>
  ((
    host: string,
    options: object,
    done: (error: Error | null, found?: LookupAddress[]) => void,
  ) => {
    resolve(host, { ...options, all: true }, (error, found) => {
      if (error) return done(error);
      const allowed = found.filter(({ address }) => isAllowed(address, way));
      return allowed.length > 0
        ? done(null, allowed)
        : done(new Error(`The host has no public address${whatAllows(way)}`));
    });
  }) as typeof resolve;

/**
 * Why an address for back-channel logout cannot be called, judging by its host alone; null if it
 * can. The addresses that the host resolves to are checked on each call.
 */
export function backchannelCallFault(address: string): string | null {
  const host = hostIn(new URL(address));
  const isPrivate = ipaddr.isValid(host) ? !isAllowed(host, backchannel) : isLoopbackHost(host);
  return isPrivate && !backchannel.isOpen() ? 'This server calls no private addresses.' : null;
}

const hostIn = (url: URL) => url.hostname.replace(/^\[|\]$/g, '');

type Asking = {
  method: string;
  headers: Record<string, string>;
  body?: string;
  /** The name in the certificate, where `Host` names another. */
  servername?: string;
  /** What the request line names, in place of the path of the address. */
  path?: string;
};

/**
 * Sends a request and reads its response, within 5 seconds in all. Follows no redirects.
 * @throws Error if the address is private or can't be reached, or what `read` throws
 */
async function ask<T>(
  url: URL,
  way: Way,
  { body, ...asking }: Asking,
  read: (response: IncomingMessage) => Promise<T>,
): Promise<T> {
  const host = hostIn(url);
  if (ipaddr.isValid(host) && !isAllowed(host, way))
    throw new Error(`The address is not public${whatAllows(way)}`);
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const signal = AbortSignal.timeout(timeout);
  const options = { ...asking, lookup: lookupFor(way), agent: false, signal };
  return new Promise((done, failed) => {
    const request = send(url, options, (response) => {
      read(response).then(done, (error: unknown) => {
        request.destroy();
        failed(error);
      });
    });
    request.on('error', failed);
    request.end(body);
  });
}

/**
 * Posts a form to an address that a client registered, and returns the status. Follows no redirects
 * and reads no body.
 * @throws Error if the address is private or can't be reached within 5 seconds
 */
export async function postForm(address: string, fields: Record<string, string>): Promise<number> {
  waitsFor('an app');
  const body = new URLSearchParams(fields).toString();
  const call = beginCall('back-channel logout', 'POST', null);
  const headers = {
    'Content-Type': 'application/x-www-form-urlencoded',
    'Content-Length': String(Buffer.byteLength(body)),
    ...call.headers,
  };
  const asking = { method: 'POST', headers, body };
  return ask(new URL(address), backchannel, asking, async (response) => {
    response.destroy();
    return response.statusCode ?? 0;
  }).then(call.answered, call.failed);
}

/**
 * The response of a host that was asked for a document. The text is read only if the status is 200.
 */
export type Fetched = {
  status: number;
  text: string;
  etag: string | null;
  cacheControl: string | undefined;
  age: string | undefined;
};

/** A document could not be fetched; the message says why. */
export class FetchFailed extends Error {}

/**
 * Fetches a JSON document from an https address, within 5 seconds in all and up to the byte limit
 * of its kind. Follows no redirects.
 * @param etag of the version already known: the response can then be 304
 * @param requestId the request that needs the document
 * @throws FetchFailed
 */
export async function fetchDocument(
  address: string,
  etag: string | null,
  requestId: string | null = null,
  kind: keyof typeof mostBytes = 'metadata document',
): Promise<Fetched> {
  waitsFor('an address of an app');
  const url = new URL(address);
  if (url.protocol !== 'https:') throw new FetchFailed('The address is not an https address.');
  const call = beginCall(kind, 'GET', requestId);
  const headers = {
    ...call.headers,
    Accept: 'application/json, application/*+json',
    'Accept-Encoding': 'identity',
    'User-Agent': 'Gatehouse',
    ...(etag !== null && { 'If-None-Match': etag }),
  };
  try {
    const fetched = await ask(url, documents, { method: 'GET', headers }, (response) =>
      readAnswer(response, mostBytes[kind]),
    );
    call.answered(fetched.status);
    return fetched;
  } catch (error) {
    call.noted();
    throw error instanceof FetchFailed ? error : new FetchFailed(whyUnreachable(error));
  }
}

async function readAnswer(response: IncomingMessage, most: number): Promise<Fetched> {
  const { statusCode: status = 0, headers } = response;
  const facts = {
    status,
    etag: etagOf(headers.etag),
    cacheControl: headers['cache-control'],
    age: headers.age,
  };
  if (status !== 200) {
    response.destroy();
    return { ...facts, text: '' };
  }
  const type = headers['content-type'] ?? '';
  if (!/^application\/(json|[a-z0-9.!#$&^_-]{1,60}\+json)\s*(;|$)/i.test(type))
    throw new FetchFailed(
      `Its content type is ${JSON.stringify(type.slice(0, 60))}, not application/json.`,
    );
  if (headers['content-encoding'] !== undefined)
    throw new FetchFailed('It is compressed, which was not asked for.');
  return { ...facts, text: await readText(response, most) };
}

/** The ETag to send back later. Null if it is too long or could end the header early. */
const etagOf = (text: string | undefined) =>
  text !== undefined && /^(W\/)?"[\x21\x23-\x7e]{0,200}"$/.test(text) ? text : null;

async function readText(response: IncomingMessage, most: number): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readBytes(response, most));
  } catch (error) {
    throw error instanceof FetchFailed ? error : new FetchFailed('It is not UTF-8 text.');
  }
}

async function readBytes(response: IncomingMessage, most: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    if (size > most) throw new FetchFailed(`It is longer than ${most} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** What a page that is no answer of ours may hold before it is left. */
const mostSiteBytes = 16 * 1024;

/**
 * Opens an address of a guarded app as a browser would, to see what its proxy makes of it. Follows
 * no redirects.
 * @param line what the request line names, if not the path of the address
 * @throws FetchFailed if it is unreachable, or at a private address
 */
export async function askSite(address: string, said: Record<string, string>, line?: string) {
  waitsFor('an app');
  const call = beginCall('guarded app', 'GET', null);
  const headers = { ...said, 'User-Agent': 'Gatehouse', 'Accept-Encoding': 'identity' };
  try {
    const url = new URL(address);
    const servername = ipaddr.isValid(hostIn(url)) ? '' : hostIn(url);
    const asking = { method: 'GET', headers, servername, ...(line && { path: line }) };
    const answer = await ask(url, backchannel, asking, async (response) => {
      const isOurs = response.headers['x-gatehouse-echo'] === '1';
      const text = isOurs ? await readText(response, mostSiteBytes) : '';
      if (!isOurs) response.destroy();
      return { status: response.statusCode ?? 0, headers: response.headers, text };
    });
    call.answered(answer.status);
    return answer;
  } catch (error) {
    call.noted();
    throw error instanceof FetchFailed ? error : new FetchFailed(whyUnreachable(error));
  }
}

/** Key sets, and responses about users with many groups, are longer than a client's document. */
const mostProviderBytes = 256 * 1024;

/** The options of a request to a provider, as `fetch` takes them. */
type AsFetched = { method?: string; headers?: Record<string, string>; body?: unknown };

/**
 * Asks a provider that an admin has configured, as `fetch` would, but within 5 seconds in all, up
 * to 256 KiB, and without following redirects.
 * @throws FetchFailed if it is unreachable, or at a private address
 */
export async function askProvider(
  address: string,
  { method = 'GET', headers = {}, body }: AsFetched = {},
): Promise<Response> {
  waitsFor('a provider');
  const url = new URL(address);
  const text = body instanceof URLSearchParams || typeof body === 'string' ? String(body) : '';
  const asking = method === 'POST' ? 'POST' : 'GET';
  const call = beginCall('sign-in provider', asking, null);
  try {
    const sent = {
      'User-Agent': 'Gatehouse',
      ...headers,
      ...call.headers,
      'Accept-Encoding': 'identity',
      ...(text && { 'Content-Length': String(Buffer.byteLength(text)) }),
    };
    const asked = { method: asking, headers: sent, body: text };
    const answer = await ask(url, providers, asked, async (response) =>
      asResponse(response, await readBytes(response, mostProviderBytes)),
    );
    call.answered(answer.status);
    return answer;
  } catch (error) {
    call.noted();
    throw error instanceof FetchFailed ? error : new FetchFailed(whyUnreachable(error));
  }
}

/** Statuses for which `Response` accepts no body. */
const bodiless = new Set([204, 205, 304]);

function asResponse({ statusCode = 0, headers }: IncomingMessage, bytes: Buffer<ArrayBuffer>) {
  const told = new Headers();
  for (const name of ['content-type', 'www-authenticate', 'location'] as const)
    if (headers[name]) told.set(name, headers[name]);
  if (statusCode < 200 || statusCode > 599)
    throw new FetchFailed(`Its status is ${statusCode}, which is not a valid status.`);
  return new Response(bodiless.has(statusCode) ? null : bytes, {
    status: statusCode,
    headers: told,
  });
}

/**
 * Why no response arrived. For the operator only, because the words reveal details of the network.
 */
export function whyUnreachable(error: unknown): string {
  const { name, message, code } = error as Error & { code?: string };
  if (name === 'AbortError' || name === 'TimeoutError')
    return `No answer arrived within ${timeout / 1000} seconds.`;
  return code ? `${code}: ${message}`.slice(0, 200) : message.slice(0, 200);
}
