import type { HttpRequest } from '../http/message.ts';
import type { Client } from '../oauth/client.ts';
import { type ClientCredentials, checkClientAuthentication } from '../oauth/client-auth.ts';
import { OAuthRefusal } from '../oauth/errors.ts';
import { auditOnce } from '../store/audit.ts';
import { count, noteUse } from '../store/usage.ts';
import { limitFailure } from './request-limits.ts';

/** Proves a client, notes which secret it used, and writes a failure down. @throws OAuthRefusal invalid_client */
export async function proveClient(
  request: HttpRequest,
  credentials: ClientCredentials,
  known: Client | null,
  now: Date,
): Promise<Client> {
  return auditingFailure(request, known, now, () => {
    const { client, secretHash } = checkClientAuthentication(known, credentials);
    if (secretHash !== null) noteUse('client_secrets', secretHash, now);
    return client;
  });
}

/** Runs a check of who the client is; its failure is written down, once a minute for a client and address. */
export async function auditingFailure<T>(
  request: HttpRequest,
  known: Client | null,
  now: Date,
  check: () => T,
): Promise<T> {
  try {
    return check();
  } catch (error) {
    if (error instanceof OAuthRefusal && error.code === 'invalid_client') {
      const clientId = known?.id ?? null;
      const event = {
        type: 'client-auth.failure',
        clientId,
        address: request.address,
        requestId: request.id,
      } as const;
      await auditOnce(
        `${clientId} ${request.address}`,
        { ...event, detail: { reason: error.reason } },
        now,
      );
      throw await limitFailure(request, known, error, now);
    }
    throw error;
  }
}

/** Does a client's work and counts its refusal; refused tokens are limited. @throws what the work throws */
export async function countingRefusals<T>(
  request: HttpRequest,
  client: Client | null,
  now: Date,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OAuthRefusal)) throw error;
    count('refusal', client?.id ?? null, now);
    throw error.code === 'invalid_grant' ? await limitFailure(request, client, error, now) : error;
  }
}
