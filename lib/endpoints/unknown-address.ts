import { config } from '../config.ts';
import type { Endpoint } from '../http/message.ts';
import { refuse } from '../oauth/errors.ts';
import { readSettings } from '../store/settings.ts';

const nothing = 'There is no endpoint at this address.';

/**
 * Answers at an address where there is nothing, and names the address that was probably meant.
 * @param path as it was sent, without its query
 * @param nearest the path of this server that is most similar to it, if any is
 */
export function refuseUnknown(path: string, nearest: string | undefined): Endpoint {
  return async () =>
    refuse(
      'invalid_request',
      `${nothing} ${await adviceFor(nearest)}`,
      {
        rule: 'address.unknown',
        received: path,
        expected: nearest === undefined ? [] : [config().issuer + nearest],
      },
      { status: 404 },
    );
}

async function adviceFor(nearest: string | undefined): Promise<string> {
  const { issuer } = config();
  const document = `${issuer}/.well-known/openid-configuration`;
  if (nearest === '/.well-known/openid-configuration')
    return `The issuer is ${issuer}, and its document is at ${document}`;
  if (nearest === undefined) return `The addresses of all endpoints are in ${document}`;
  if (nearest === '/oauth/register' && (await readSettings()).clientRegistration === 'off')
    return `Clients cannot register themselves at this server: an admin adds them. See ${issuer}/docs`;
  return `Did you mean ${issuer}${nearest}? All addresses are in ${document}`;
}
