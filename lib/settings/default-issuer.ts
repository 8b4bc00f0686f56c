/** The server's address while no other is configured, without the default port, as in browsers. */
export const issuerAt = (port: number): string =>
  port === 80 ? 'http://localhost' : `http://localhost:${port}`;
