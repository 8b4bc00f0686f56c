import type { Endpoint } from '../http/message.ts';
import { readRevision } from '../store/engine/revision.ts';
import { oldIssuersAt } from '../store/old-issuers.ts';

/**
 * An endpoint at the address where an app knew it under an old issuer. It exists as long as an app
 * uses that issuer.
 * @param otherwise answers if no app does
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
