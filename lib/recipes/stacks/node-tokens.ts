import { javascript, onlyIf, type Verbatim } from '../text.ts';

/** The option for openid-client's discovery that allows plain http, if the issuer uses it. */
export function insecureOption(issuer: string): Verbatim {
  return onlyIf(
    issuer.startsWith('http:'),
    '\n  undefined,\n  // Only while the issuer has no https.\n  { execute: [client.allowInsecureRequests] },',
  );
}

/** What an app with openid-client stores of the tokens, and how it refreshes them. */
export const keepingTokens = javascript`
  /** What is kept of a token answer. A refresh may leave out what stays as it is. */
  function kept(tokens, before = {}) {
    return {
      claims: tokens.claims() ?? before.claims,
      idToken: tokens.id_token ?? before.idToken,
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token ?? before.refreshToken,
      // A little early, so that no request meets its end.
      expiresAt: Date.now() + (tokens.expiresIn() - 30) * 1000,
      renewal: null,
    };
  }

  /** Somebody's access token. One that has expired is renewed, once for all who wait for it. */
  async function accessTokenOf(user) {
    if (Date.now() > user.expiresAt) {
      user.renewal ??= client.refreshTokenGrant(config, user.refreshToken);
      Object.assign(user, kept(await user.renewal, user));
    }
    return user.accessToken;
  }
`;
