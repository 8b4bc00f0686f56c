import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ClientMetadata } from '../oauth/client-metadata.ts';
import { prefixes } from '../oauth/secrets.ts';
import { derivedKeys } from '../sealed/seal.ts';

/*
 * A client that registers itself gets an id that contains everything it registered, so that a
 * registration stores nothing (RFC 7591 appendix A.5.2). In bytes: the format, whether a token let
 * it register, the time, random bytes, the metadata, and a MAC over all of these with a key of this
 * server.
 */

/** What a client_id issued by this server contains. */
export type Registered = {
  metadata: ClientMetadata;
  registeredAt: Date;
  byToken: boolean;
  /** Its secret, which is not stored but derived from the id. */
  secret: string;
};

/** Ids are part of URLs and of index rows. */
export const longestRegisteredId = 1200;
const format = 1;
const [headBytes, macBytes] = [16, 16];
/** Far above what an id of that length can hold. */
const mostText = 65_536;

/** Shared by most registrations. Any change to it needs a new format number. */
const dictionary = Buffer.from(
  '"id_token_signed_response_alg":"ES256""application_type":"web""native""tos_uri":"https://www."policy_uri":"https://app.' +
    '"post_logout_redirect_uris":["https://"token_endpoint_auth_method":"client_secret_post""client_secret_basic""none"' +
    '"client_uri":"https://"grant_types":["authorization_code","refresh_token"]{"client_name":"","redirect_uris":["https://' +
    '","http://127.0.0.1:3000/","http://localhost:8080/oauth/callback","http://localhost/callback"]}',
);

/** A new id that contains all this; null if it would be too long. */
export function newRegisteredId(
  metadata: ClientMetadata,
  byToken: boolean,
  now: Date,
): string | null {
  const [key] = derivedKeys('registered-client');
  if (!key) throw new Error('There is no server secret.');
  const head = Buffer.alloc(headBytes);
  head.writeUInt8(format, 0);
  head.writeUInt8(byToken ? 1 : 0, 1);
  head.writeUIntBE(now.getTime(), 2, 6);
  randomBytes(headBytes - 8).copy(head, 8);
  const packed = deflateRawSync(JSON.stringify(metadata), { dictionary, level: 9, memLevel: 4 });
  const said = Buffer.concat([head, packed]);
  const id =
    prefixes.registeredClient + Buffer.concat([said, macOf(key, said)]).toString('base64url');
  return id.length > longestRegisteredId ? null : id;
}

/** Whether an id looks like one issued by this server. Only `readRegisteredId` knows for sure. */
const looksRegistered = (id: string) => id.startsWith(prefixes.registeredClient);

/** Null if this server did not issue the id, or no longer has that secret. */
export function readRegisteredId(id: string): Registered | null {
  if (!looksRegistered(id) || id.length > longestRegisteredId) return null;
  const text = id.slice(prefixes.registeredClient.length);
  const bytes = Buffer.from(text, 'base64url');
  // base64url can spell the same bytes in several ways; another spelling would be another client.
  if (bytes.length <= headBytes + macBytes || bytes.toString('base64url') !== text) return null;
  const said = bytes.subarray(0, -macBytes);
  const mac = bytes.subarray(-macBytes);
  const at = derivedKeys('registered-client').findIndex((key) =>
    timingSafeEqual(macOf(key, said), mac),
  );
  if (at < 0 || said.readUInt8(0) !== format) return null;
  const packed = inflateRawSync(said.subarray(headBytes), {
    dictionary,
    maxOutputLength: mostText,
  });
  return {
    metadata: JSON.parse(packed.toString('utf8')),
    registeredAt: new Date(said.readUIntBE(2, 6)),
    byToken: said.readUInt8(1) === 1,
    secret: secretOf(id, at),
  };
}

const macOf = (key: Uint8Array, said: Uint8Array) =>
  createHmac('sha256', key).update(said).digest().subarray(0, macBytes);

/**
 * Derived with the same generation of the server's secret as the id, so that it remains the same
 * when the server's secret is replaced.
 */
function secretOf(id: string, at: number): string {
  const key = derivedKeys('registered-secret')[at] ?? new Uint8Array();
  return prefixes.clientSecret + createHmac('sha256', key).update(id).digest('base64url');
}
