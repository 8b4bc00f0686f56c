import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { assertionType } from '../../oauth/client-assertion.ts';

export type Json = Record<string, unknown>;

/** A Gatehouse of the demo, as those that ask it know it. */
export type Server = { name: string; issuer: string };

/** What was sent to a server, and what came back. */
export type Answer = { path: string; form: Record<string, string>; status: number; body: Json };

/**
 * An app or an API. It proves itself by a key of its own (`private_key_jwt`), so that there is no
 * secret that could be stolen from either server.
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

  /** Asks a server something, with a proof of who asks (RFC 7523 section 2.2). */
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

  /** For this server alone, for a minute, and once. */
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
