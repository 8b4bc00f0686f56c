import { createHash, randomBytes } from 'node:crypto';
import type { DemoClient } from './instance.ts';

/** What the app does on purpose: everything right, or one of the common mistakes. */
export const attempts = ['works', 'wrong-address', 'wrong-secret', 'no-pkce', 'denied'] as const;
export type Attempt = (typeof attempts)[number];

type Waiting = { verifier: string; attempt: Attempt };

/** A small app with OAuth sign-in. Everything a client has to do is in this file. */
export class ClientApp {
  readonly origin: string;
  readonly server: string;
  readonly client: DemoClient;
  /** Requests that were sent, by `state`. A response with any other `state` was not requested. */
  readonly #waiting = new Map<string, Waiting>();

  constructor(origin: string, server: string, client: DemoClient) {
    this.origin = origin;
    this.server = server;
    this.client = client;
  }

  /** Where the app sends the browser (RFC 6749 section 4.1.1, with PKCE of RFC 7636). */
  authorizationRequest(attempt: Attempt = 'works'): { path: string; state: string } {
    const [state, verifier] = [
      randomBytes(12).toString('base64url'),
      randomBytes(32).toString('base64url'),
    ];
    this.#waiting.set(state, { verifier, attempt });
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: this.client.id,
      redirect_uri: `${this.client.redirectUri}${attempt === 'wrong-address' ? '/' : ''}`,
      scope: 'profile email',
      state,
      ...(attempt !== 'no-pkce' && {
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      }),
      // Ask for consent again, even if the user has allowed the app before.
      ...(attempt === 'denied' && { prompt: 'consent' }),
    });
    return { path: `/oauth/authorize?${query}`, state };
  }

  /** The request that a response belongs to, once; null if the response was not requested. */
  take(answer: URLSearchParams): Waiting | null {
    const state = answer.get('state') ?? '';
    const waiting = this.#waiting.get(state);
    this.#waiting.delete(state);
    return waiting && answer.get('iss') === this.server ? waiting : null;
  }

  /** The token request for a response (section 4.1.3). */
  tokenRequest(answer: URLSearchParams, { verifier, attempt }: Waiting): Record<string, string> {
    return {
      grant_type: 'authorization_code',
      code: answer.get('code') ?? '',
      redirect_uri: this.client.redirectUri,
      client_id: this.client.id,
      client_secret: attempt === 'wrong-secret' ? 'the-secret-of-last-year' : this.client.secret,
      code_verifier: verifier,
    };
  }
}
