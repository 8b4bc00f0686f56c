import { json } from '../http/answers.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { OAuthRefusal, refuse } from '../oauth/errors.ts';
import type { Facts } from '../oauth/facts.ts';
import {
  deviceGrant,
  exchangeGrant,
  type GrantType,
  grantTypeNames,
  isGrantType,
  jwtBearerGrant,
} from '../oauth/grant-types.ts';
import { paramsOf } from '../oauth/ignored.ts';
import { first, type Params } from '../oauth/params.ts';
import { readSettings } from '../store/settings.ts';
import { metrics } from '../telemetry/metrics.ts';
import { endpointUrls, nonceFor, readDpop } from './dpop.ts';
import { authorizationCode } from './grants/authorization-code.ts';
import { clientCredentials } from './grants/client-credentials.ts';
import { deviceCode } from './grants/device-code.ts';
import type { Grant } from './grants/grant.ts';
import { jwtBearer } from './grants/jwt-bearer.ts';
import { refreshToken } from './grants/refresh-token.ts';
import { tokenExchange } from './grants/token-exchange.ts';
import { type ParamRules, readProgramParams } from './program-params.ts';

const grants: Record<GrantType, Grant> = {
  authorization_code: authorizationCode,
  refresh_token: refreshToken,
  client_credentials: clientCredentials,
  [deviceGrant]: deviceCode,
  [exchangeGrant]: tokenExchange,
  [jwtBearerGrant]: jwtBearer,
};

/** The token endpoint (RFC 6749 section 3.2). @throws OAuthRefusal */
export async function token(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const params = await readProgramParams(request, (sent) => rulesFor(sent, request.query));
  const type = readGrantType(params);
  request.about.step = type === 'refresh_token' ? 'refresh' : 'token';
  const dpop = readDpop(request, endpointUrls(request, '/oauth/token'), now);
  const issued = await grants[type]({ params, http: request, dpop }, now).catch(
    (error: unknown) => {
      throw inWordsOf(type, error);
    },
  );
  const { notes = [], ...answer }: typeof issued & { notes?: Facts[] } = issued;
  request.about.notes.push(...notes);
  request.about.outcome = 'done';
  metrics()?.tokens(type);
  return json(200, answer, nonceFor(dpop));
}

/** What a client is told of each thing that it can send in vain. */
const unfit: Partial<Record<GrantType, string>> = {
  authorization_code:
    'The code is invalid, expired, already used, or was issued for another request.',
  refresh_token: 'The refresh token is invalid, expired, already used, or of another client.',
  [deviceGrant]: 'The device code is invalid, already used, or of another client.',
  [jwtBearerGrant]:
    'The assertion is invalid, expired, already used, or not for this client, server or user.',
};

/** The same refusal, which speaks of what was sent. */
function inWordsOf(type: GrantType, error: unknown): unknown {
  const sentence = unfit[type];
  if (!(error instanceof OAuthRefusal) || error.code !== 'invalid_grant' || !sentence) return error;
  return new OAuthRefusal(error.code, error.reason, { sentence, ...error.wire }, error.facts);
}

function readGrantType(params: Params): GrantType {
  const expected = grantTypeNames;
  const missing = { rule: 'grant-type.missing', expected } as const;
  const type =
    first(params, 'grant_type') ?? refuse('invalid_request', 'grant_type is missing.', missing);
  if (isGrantType(type)) return type;
  refuse('unsupported_grant_type', 'This grant_type is not supported.', {
    rule: 'grant-type.unknown',
    received: type,
    expected,
  });
}

/** Only the refresh grant may use the query, and only if a setting allows it. */
async function rulesFor(sent: Params, query: string): Promise<ParamRules> {
  const type = first(sent, 'grant_type');
  const known = type === exchangeGrant ? paramsOf.exchange : paramsOf.token;
  // Reading the settings takes a statement on PostgreSQL.
  const mayBeThere = type === 'refresh_token' && query !== '';
  const fromQuery = mayBeThere && (await readSettings()).acceptRefreshParamsInQuery;
  return { known, fromQuery, check: readGrantType };
}
