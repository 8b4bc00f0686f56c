import type { HttpRequest } from '../http/message.ts';
import type { ClientCredentials } from '../oauth/client-auth.ts';
import { OAuthRefusal } from '../oauth/errors.ts';
import { audit } from '../store/audit.ts';

/** Runs a client authentication and writes its failure down. @throws what the check throws */
export async function auditClientFailure<T>(
  request: HttpRequest,
  credentials: ClientCredentials,
  now: Date,
  check: () => T,
): Promise<T> {
  try {
    return check();
  } catch (error) {
    if (error instanceof OAuthRefusal && error.code === 'invalid_client') {
      const clientId = credentials.id?.slice(0, 200) ?? null;
      await audit(
        {
          type: 'client-auth.failure',
          clientId,
          address: request.address,
          requestId: request.id,
          detail: { reason: error.reason },
        },
        now,
      );
    }
    throw error;
  }
}
