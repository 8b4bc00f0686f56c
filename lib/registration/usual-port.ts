import { config } from '../config.ts';
import { isAtUsualPort } from '../oauth/client-document.ts';

/**
 * What is wrong with an address that a stranger wants to be read, or null: nobody may have this server try the ports of
 * hosts that no admin named.
 */
export function portFault(address: string): string | null {
  if (isAtUsualPort(address) || config().clientDocumentsFromPrivateAddresses) return null;
  return 'names a port, and only hosts that are listed by name are asked at another port than 443.';
}

/** The same address where it would be read. */
export const withoutPort = (address: string): string => {
  const url = new URL(address);
  url.port = '';
  return url.href;
};
