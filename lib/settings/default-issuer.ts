/** The address of a server while nobody says another one. Browsers leave the usual port out. */
export const issuerAt = (port: number): string =>
  port === 80 ? 'http://localhost' : `http://localhost:${port}`;
