import type { Dpop } from '../../oauth/dpop.ts';
import type { Sent } from '../client-authentication.ts';
import type { TokenAnswer } from '../issue-tokens.ts';

export type TokenRequest = Sent & { dpop: Dpop };

/** draft-ietf-oauth-identity-assertion-authz-grant section 4.3.4 */
export type IdJagAnswer = {
  issued_token_type: string;
  /** RFC 8693 section 2.2.1 uses this name for any kind of token. */
  access_token: string;
  token_type: 'N_A';
  expires_in: number;
  scope?: string;
};

/** The handler of a grant type. @throws OAuthRefusal */
export type Grant = (request: TokenRequest, now: Date) => Promise<TokenAnswer | IdJagAnswer>;
