import type { Client } from './client.ts';
import type { OAuthRefusal } from './errors.ts';
import type { ProtocolSettings } from './settings.ts';

/** An authorization, with what the rules about its code and tokens need. */
export type IssuedAuthorization = {
  clientId: string;
  scope: string;
  /** Space-delimited identifiers of the APIs that its tokens are for; '': no API in particular. */
  resources: string;
  redirectUri: string;
  stateHash: string | null;
  codeChallenge: string | null;
  redeemedAt: Date | null;
  revokedAt: Date | null;
  rotation: number;
  rotatedAt: Date | null;
  rotatedScope: string | null;
  idleUntil: Date | null;
  /** The clients it came through by token exchange, the nearest first; empty: from a sign-in. */
  lineage: readonly string[];
  /** Neither the user nor the client has been disabled, deleted or reset since. */
  alive: boolean;
};

/**
 * What bars the user of an authorization from the client now: they may not use it, or it requires
 * more than their sign-in has, or they have to agree to terms of use. `lib/access` judges this for
 * every grant.
 */
export type Barred = { by: 'app' | 'sign-in' | 'terms'; refusal: OAuthRefusal };

/** The lifetimes of a client's tokens, in seconds: its own, otherwise the server's. */
export function lifetimes(client: Client, settings: ProtocolSettings) {
  return {
    accessToken: client.accessTokenTtl ?? settings.accessTokenTtl,
    refreshToken: client.refreshTokenTtl ?? settings.refreshTokenTtl,
    refreshTokenMax: client.refreshTokenMaxTtl ?? settings.refreshTokenMaxTtl,
  };
}

export function addSeconds(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000);
}

/** The earlier of two moments; null: there is no other one. */
export function earlier(one: Date, other: Date | null): Date {
  return other === null || one < other ? one : other;
}
