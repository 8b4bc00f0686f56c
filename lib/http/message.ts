import type { Refusal } from '../oauth/errors.ts';

/**
 * What an endpoint finds out about its request. `serve` reads it where it writes down and answers
 * what was refused.
 */
export type About = {
  /** Whose request it is: a client that exists, whether or not it has proved itself. */
  clientId: string | null;
};

export function nothingKnown(): About {
  return { clientId: null };
}

/** A request as the endpoints see it, whichever server received it. */
export type HttpRequest = {
  method: string;
  path: string;
  /** The raw query string behind the first `?`, without it; '' when there is none. */
  query: string;
  /** A header by its lower-case name. */
  header(name: string): string | undefined;
  /** Whether `Authorization` was sent more than once, as far as whoever received the request shows it. */
  repeatsAuthorization(): boolean;
  /** The whole body, read once. */
  body(): Promise<Uint8Array | 'too-large'>;
  /** The client's address, when it is known. */
  address: string | null;
  /** Names this request in the log and in `X-Request-Id`. */
  id: string;
  about: About;
};

/** Names in lower case: two spellings of one name would be sent as two headers. */
export type HttpHeaders = Record<Lowercase<string>, string | string[]>;

export type HttpResponse = {
  status: number;
  headers: HttpHeaders;
  body?: string;
  /** What this answer refuses. `serve` writes it down; nobody else does. */
  refusal?: Refusal;
};

/** An endpoint of this server. @throws OAuthRefusal, PageRefusal, answered and written down by `serve` */
export type Endpoint = (request: HttpRequest, now: Date) => Promise<HttpResponse>;

/** A cookie of the request, or undefined. */
export function readCookie(request: Pick<HttpRequest, 'header'>, name: string): string | undefined {
  for (const part of (request.header('cookie') ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim() || undefined;
  }
  return undefined;
}
