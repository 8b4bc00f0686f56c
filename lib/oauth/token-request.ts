import type { Client } from './client.ts';
import type { OAuthRefusal } from './errors.ts';
import type { ProtocolSettings } from './settings.ts';

/** An authorization, as far as the rules about its code and tokens ask. */
export type IssuedAuthorization = {
  clientId: string;
  scope: string;
  /** Space-delimited identifiers of the APIs its tokens are for; '': for none in particular. */
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
  /** The clients that it came through by token exchange, the nearest first; none: a sign-in. */
  lineage: readonly string[];
  /** User and client are as they were: nobody was disabled, deleted or reset. */
  alive: boolean;
};

/**
 * What keeps the user of an authorization from the client now: they may not use it, or it demands
 * more of the sign-in that they made. `lib/access` judges it, for every grant.
 */
export type Barred = { by: 'app' | 'sign-in'; refusal: OAuthRefusal };

/** Lives of the tokens that a client gets, in seconds: its own, else the server's. */
export function lifetimes(client: Client, settings: ProtocolSettings) {
  return {
    accessToken: client.accessTokenTtl ?? settings.accessTokenTtl,
    refreshToken: client.refreshTokenTtl ?? settings.refreshTokenTtl,
    refreshTokenMax: client.refreshTokenMaxTtl ?? settings.refreshTokenMaxTtl,
  };
}

/** A moment some seconds later. */
export function later(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000);
}

/** The earlier of two moments; null: there is no other. */
export function earlier(one: Date, other: Date | null): Date {
  return other === null || one < other ? one : other;
}
