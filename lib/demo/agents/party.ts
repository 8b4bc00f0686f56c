import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { assertionType } from '../../oauth/client-assertion.ts';

export type Json = Record<string, unknown>;

/** One of the demo's Gatehouse servers, as its clients know it. */
export type Server = { name: string; issuer: string };

/** What was sent to a server, and what it returned. */
export type Answer = { path: string; form: Record<string, string>; status: number; body: Json };

/**
 * An app or an API. It authenticates with its own key (`private_key_jwt`), so neither server has a
 * secret that could be stolen.
 */
export class Party {
  readonly id: string;
  readonly name: string;
  /** Its public key, as a JWK Set. */
  readonly jwks: string;
  readonly #key: CryptoKey;

  private constructor(id: string, name: string, key: CryptoKey, jwks: string) {
    [this.id, this.name, this.#key, this.jwks] = [id, name, key, jwks];
  }

  static async make(id: string, name: string): Promise<Party> {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    const keys = [{ ...(await exportJWK(publicKey)), kid: id, alg: 'ES256', use: 'sig' }];
    return new Party(id, name, privateKey, JSON.stringify({ keys }));
  }

  /** Sends a request to a server, authenticated as this party (RFC 7523 section 2.2). */
  async ask({ issuer }: Server, path: string, form: Record<string, string>): Promise<Answer> {
    const proved = {
      ...form,
      client_assertion_type: assertionType,
      client_assertion: await this.#proofFor(issuer),
    };
    const response = await fetch(issuer + path, {
      method: 'POST',
      body: new URLSearchParams(proved),
    });
    return {
      path,
      form: proved,
      status: response.status,
      body: (await response.json()) as Json,
    };
  }

  /** The client assertion: for this server only, for one minute, and for one use. */
  #proofFor(issuer: string): Promise<string> {
    return new SignJWT({ jti: randomUUID() })
      .setProtectedHeader({ alg: 'ES256', kid: this.id })
      .setIssuer(this.id)
      .setSubject(this.id)
      .setAudience(issuer)
      .setIssuedAt()
      .setExpirationTime('1 minute')
      .sign(this.#key);
  }
}
