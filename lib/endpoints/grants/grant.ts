import type { HttpRequest } from '../../http/message.ts';
import type { Dpop } from '../../oauth/dpop.ts';
import type { Params } from '../../oauth/params.ts';
import type { TokenAnswer } from '../issue-tokens.ts';
import type { IdJagAnswer } from './id-jag.ts';

/** A token request with parsed parameters, and its DPoP proof. */
export type TokenRequest = { params: Params; http: HttpRequest; dpop: Dpop };

/** The handler of a grant type. @throws OAuthRefusal */
export type Grant = (request: TokenRequest, now: Date) => Promise<TokenAnswer | IdJagAnswer>;
