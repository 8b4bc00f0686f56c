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
    };
  }

  /** Somebody's access token. One that has expired is renewed, once for all who wait for it. */
  async function accessTokenOf(user) {
    if (Date.now() > user.expiresAt)
      // One that fails is tried again by the next request.
      await (user.renewal ??= renew(user).finally(() => delete user.renewal));
    return user.accessToken;
  }

  async function renew(user) {
    Object.assign(user, kept(await client.refreshTokenGrant(config, user.refreshToken), user));
  }

  /** Whether a refusal says that the sign-in is over. Others pass, or are mended in the set-up. */
  function isOver(error) {
    if (error.error === 'invalid_grant') return true;
    const challenges = error.code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE' ? error.cause : [];
    return challenges.some(({ parameters }) => parameters.error === 'invalid_token');
  }

  /** What somebody sees when a request fails, with its status. */
  function said(error) {
    if (isOver(error)) return [401, 'Your sign-in has ended. <a href="/login">Sign in again</a>'];
    console.error(error);
    return [503, 'That didn’t work. Try again in a minute, or <a href="/login">sign in again</a>.'];
  }
`;
