import { config } from '../config.ts';
import { isAtUsualPort } from '../oauth/client-document.ts';

/**
 * What is wrong with the port of an address that a stranger wants fetched, or null. Strangers may
 * not use this server to probe the ports of hosts that no admin named.
 */
export function portFault(address: string): string | null {
  if (isAtUsualPort(address) || config().clientDocumentsFromPrivateAddresses) return null;
  return 'names a port, and only hosts that are listed by name may use a port other than 443.';
}

/** The same address at the default port, where it would be fetched. */
export const withoutPort = (address: string): string => {
  const url = new URL(address);
  url.port = '';
  return url.href;
};
