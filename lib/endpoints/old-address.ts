import type { Endpoint } from '../http/message.ts';
import { readRevision } from '../store/engine/revision.ts';
import { oldIssuersAt } from '../store/old-issuers.ts';

/**
 * An endpoint at the address where it was when an app knew this server by another issuer. It is there
 * for as long as an app does.
 * @param otherwise what answers when none does
 */
export function atOldIssuer(issuer: string, endpoint: Endpoint, otherwise: Endpoint): Endpoint {
  return async (request, now) => {
    const known = await oldIssuersAt(await readRevision());
    if (!known.has(issuer)) {
      request.about.step = 'address';
      return otherwise(request, now);
    }
    request.oldIssuer = issuer;
    return endpoint(request, now);
  };
}
