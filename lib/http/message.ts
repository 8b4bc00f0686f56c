import type { OAuthRefusal, Refusal } from '../oauth/errors.ts';
import type { Facts } from '../oauth/facts.ts';
import type { Behind } from '../store/trace-rings.ts';
import type { TraceOutcome, TraceStepName } from '../store/traces.ts';
import type { Sender } from './network.ts';

/** What an endpoint has learnt about its request. `serve` uses it to log and answer refusals. */
export type About = {
  /** The client the request names, if it exists; it may not be authenticated yet. */
  clientId: string | null;
  /**
   * Sends a refusal back to the client; null until its address is trusted, and while nobody but a
   * person can be told.
   */
  reply: ((refusal: OAuthRefusal, requestId: string) => Promise<HttpResponse>) | null;
  /** An admin tries the app: no attempt of the app itself, so no trace is kept. */
  isTrial: boolean;
  /** For the trace: the authorization request it belongs to, and its user. */
  attempt: string | null;
  userId: string | null;
  /** What kind of request it turned out to be, where that is not the one of its address. */
  step: TraceStepName | null;
  /** What stood behind it. Whoever finds a session or a credential says so, before anything is refused. */
  behind: Behind;
  /** What went another way than the request may mean, though it was not refused for that. */
  notes: Facts[];
  /** What came of it; null: nothing that a trace keeps, or it is refused. */
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
  /** A header by its lower-case name. */
  header(name: string): string | undefined;
  /** Whether `Authorization` was sent more than once, as far as the receiving server shows it. */
  repeatsAuthorization(): boolean;
  /** The whole body, read once. */
  body(): Promise<Uint8Array | 'too-large'>;
  /** The address at the other end of the connection, where the receiving server shows it. */
  peer?: string;
  /** The request id in the log and in `X-Request-Id`. */
  id: string;
  about: About;
  /** The client this server acts for: a request that it makes itself. No adapter sets it. */
  trialOf?: string;
  /** The path of an old issuer, if it came to one of its addresses. No adapter sets it. */
  oldIssuer?: string;
  /** The path that was asked, if it is that of the second form of the interface. No adapter sets it. */
  secondPath?: string;
};

/** What a page may look at of its request: headers and, where they are known, method, sender and id. */
export type PageRequest = Pick<HttpRequest, 'header'> &
  Partial<Pick<HttpRequest, 'method' | 'address' | 'isShared' | 'id' | 'oldIssuer'>>;

/** A page request of somebody who can be told from others. */
export type VisitorRequest = PageRequest & Sender;

/** Lower-case names: two spellings of a name would be sent as two headers. */
export type HttpHeaders = Record<Lowercase<string>, string | string[]>;

export type HttpResponse = {
  status: number;
  headers: HttpHeaders;
  body?: string;
  /** In place of a body: one that goes on for a while, until it or the process ends. */
  stream?: ReadableStream<Uint8Array>;
  /** The refusal this response carries. Only `serve` logs it. */
  refusal?: Refusal;
};

/** An endpoint of this server. @throws OAuthRefusal, PageRefusal, which `serve` logs and answers */
export type Endpoint = (request: HttpRequest, now: Date) => Promise<HttpResponse>;

/** A request cookie, or undefined. */
export function readCookie(request: PageRequest, name: string): string | undefined {
  for (const part of (request.header('cookie') ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim() || undefined;
  }
  return undefined;
}
