/** The server's address while no other is configured, without the default port, as in browsers. */
export const issuerAt = (port: number): string =>
  port === 80 ? 'http://localhost' : `http://localhost:${port}`;

/**
 * The issuer of a server whose ISSUER is set; null for the address that it otherwise has on its own
 * machine, which differs with PORT and which nobody keeps.
 */
export const claimedIssuer = ({ issuer, port }: { issuer: string; port: number }): string | null =>
  issuer === issuerAt(port) ? null : issuer;
