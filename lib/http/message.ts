import type { OAuthRefusal, Refusal } from '../oauth/errors.ts';
import type { Facts } from '../oauth/facts.ts';
import type { Behind } from '../store/trace-rings.ts';
import type { TraceOutcome, TraceStepName } from '../store/traces.ts';
import type { Sender } from './network.ts';

/** What an endpoint has learnt about its request. `serve` uses it to log and answer refusals. */
export type About = {
  /** The client that the request names, if it exists. It may not be authenticated yet. */
  clientId: string | null;
  /** Null until the client's address is trusted, and if only a person can be told. */
  reply: ((refusal: OAuthRefusal, requestId: string) => Promise<HttpResponse>) | null;
  /** An admin is trying the app out. No trace is kept, because the attempt is not the app's own. */
  isTrial: boolean;
  /** For the trace: the authorization request that this belongs to, and its user. */
  attempt: string | null;
  userId: string | null;
  /** The kind of request it turned out to be, if it differs from the usual kind at its address. */
  step: TraceStepName | null;
  /** Who sent it. Code that finds a session or credential sets it before it can refuse. */
  behind: Behind;
  /** What was handled differently from what the sender may have meant, without being refused. */
  notes: Facts[];
  /** The outcome; null if it is refused or is nothing that a trace keeps. */
  outcome: Exclude<TraceOutcome, 'refused'> | null;
};

export function nothingKnown(): About {
  return {
    clientId: null,
    reply: null,
    isTrial: false,
    attempt: null,
    userId: null,
    step: null,
    outcome: null,
    behind: 'nobody',
    notes: [],
  };
}

/** A request as the endpoints see it, whichever server received it. */
export type HttpRequest = Sender & {
  method: string;
  path: string;
  /** The raw query string after the first `?`; '' if there is none. */
  query: string;
  header(name: string): string | undefined;
  /**
   * Whether `Authorization` was sent more than once, as far as the receiving server lets us see.
   */
  repeatsAuthorization(): boolean;
  /** The whole body, read once. */
  body(): Promise<Uint8Array | 'too-large'>;
  /** The address at the other end of the connection, if the receiving server exposes it. */
  peer?: string;
  /** The request id in the log and in `X-Request-Id`. */
  id: string;
  about: About;
  /**
   * The client that this server acts for in a request that it makes itself. No adapter sets this.
   */
  trialOf?: string;
  /**
   * The path of an old issuer, if the request came to one of its addresses. No adapter sets this.
   */
  oldIssuer?: string;
  /**
   * The requested path, if an endpoint was asked in its alternative form (`/oauth?=token`). No
   * adapter sets this.
   */
  secondPath?: string;
};

/** What a page can read of its request: headers and, if known, method, sender and id. */
export type PageRequest = Pick<HttpRequest, 'header'> &
  Partial<Pick<HttpRequest, 'method' | 'address' | 'isShared' | 'id' | 'oldIssuer'>>;

export type VisitorRequest = PageRequest & Sender;

/** Lower-case names, because two spellings of a name would be sent as two headers. */
export type HttpHeaders = Record<Lowercase<string>, string | string[]>;

export type HttpResponse = {
  status: number;
  headers: HttpHeaders;
  body?: string;
  /** Sent instead of a body, until the stream or the process ends. */
  stream?: ReadableStream<Uint8Array>;
  /** The refusal that this response answers. Only `serve` logs it. */
  refusal?: Refusal;
};

/**
 * An endpoint of this server. `serve` logs and answers what it throws.
 * @throws OAuthRefusal, PageRefusal
 */
export type Endpoint = (request: HttpRequest, now: Date) => Promise<HttpResponse>;

/**
 * The values of all cookies of a name, as they were sent, without empty ones. A name that only looks
 * the same, with a blank of Unicode around it, is another: its prefix promises nothing.
 */
export function readCookies(request: PageRequest, name: string): string[] {
  return (request.header('cookie') ?? '').split(/;[ \t]*/).flatMap((part) => {
    const at = part.indexOf('=');
    return at > 0 && part.slice(0, at) === name ? part.slice(at + 1) || [] : [];
  });
}

export const readCookie = (request: PageRequest, name: string): string | undefined =>
  readCookies(request, name)[0];
