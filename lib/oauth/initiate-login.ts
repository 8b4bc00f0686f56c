/** The parameters added to the address where a sign-in begins (OpenID Connect Core section 4). */
export const initiateParameters = ['iss', 'login_hint', 'target_link_uri'] as const;

/**
 * The address that begins a sign-in at a client: a GET with this server's issuer and the user it is
 * meant for (OpenID Connect Core section 4). The client's own query is kept to the letter.
 */
export function initiateLoginAt(uri: string, issuer: string, loginHint: string): string {
  const added = `iss=${encodeURIComponent(issuer)}&login_hint=${encodeURIComponent(loginHint)}`;
  const [, query] = uri.split('?', 2);
  if (query === undefined) return `${uri}?${added}`;
  return query === '' || query.endsWith('&') ? `${uri}${added}` : `${uri}&${added}`;
}
