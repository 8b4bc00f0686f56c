import type { HttpRequest } from '../../http/message.ts';
import { findAccessToken } from '../../identity/tokens.ts';
import { checkClientAuthentication } from '../../oauth/client-auth.ts';
import { checkProof } from '../../oauth/dpop.ts';
import { refuse } from '../../oauth/errors.ts';
import { checkConfidentialGrant, exchangeGrant } from '../../oauth/grant-types.ts';
import { idJagTokenType } from '../../oauth/id-jag.ts';
import { first } from '../../oauth/params.ts';
import { newId } from '../../oauth/secrets.ts';
import {
  type AskedExchange,
  checkActor,
  checkExchangeTarget,
  checkStaysBound,
  checkSubject,
  type ExchangeTarget,
  exchangeEnds,
  readExchange,
  type Subject,
  tokenTypes,
} from '../../oauth/token-exchange.ts';
import { lifetimes } from '../../oauth/token-request.ts';
import { accessDetail } from '../../oauth/tokens.ts';
import { type LiveAccessToken, revokedHash } from '../../store/access-tokens.ts';
import { apisAt } from '../../store/apis.ts';
import { auditDaily } from '../../store/audit.ts';
import { type Authorization, findAuthorization } from '../../store/authorizations.ts';
import { findClient } from '../../store/clients.ts';
import { readRevision } from '../../store/engine/revision.ts';
import type { Stepped } from '../../store/exchanges.ts';
import { storeExchange } from '../../store/exchanges.ts';
import { scopesAt } from '../../store/scopes.ts';
import { settingsAt } from '../../store/settings.ts';
import { provedBy } from '../../store/trace-rings.ts';
import { isElsewhere, readClient } from '../client-authentication.ts';
import { spendProof } from '../dpop.ts';
import type { Asking, TokenAnswer } from '../issue-tokens.ts';
import { checkFresh } from './fresh.ts';
import type { IdJagAnswer, TokenRequest } from './grant.ts';
import { issueIdJag } from './id-jag.ts';
import { silentGrant } from './silent-grant.ts';
import { takeStep } from './step.ts';

/** The response to an exchange (RFC 8693 section 2.2.1). */
type ExchangeAnswer = TokenAnswer & { issued_token_type: string };

/**
 * Token exchange (RFC 8693 section 2). The client is an API that was sent the subject token.
 * @throws OAuthRefusal
 */
export async function tokenExchange(
  request: TokenRequest,
  now: Date,
): Promise<ExchangeAnswer | IdJagAnswer> {
  const { params, http, dpop: sent } = request;
  const { credentials, named } = await readClient(request, await readRevision(), now);
  const proof = checkClientAuthentication(named, credentials);
  const { client } = proof;
  checkConfidentialGrant(client, exchangeGrant, 'exchange tokens');
  http.about.behind = provedBy(client);
  http.about.attempt = newId(now);
  if (first(params, 'requested_token_type') === idJagTokenType)
    return issueIdJag(request, client, now);
  const asked = readExchange(params);
  const { token, parent, revision } = await readSubject(asked, http, now);
  const apis = await apisAt(revision);
  const subject = checkSubject(subjectOf(token, parent), asked.subjectToken, client, apis);
  checkActor(asked.actorToken, await clientOf(asked.actorToken, now), client);
  if (!token || !parent) throw new Error('A subject that was checked is there.');
  const settings = await settingsAt(revision);
  const dpop = checkProof(sent, client, settings);
  checkStaysBound(subject, dpop);
  const exchanger = { client, apis, scopes: await scopesAt(revision) };
  const target = checkExchangeTarget(asked, subject, parent, exchanger);
  await checkFresh(client, { ...parent, lineage: subject.holders }, now);
  const asking = { ...proof, settings, revision, dpop };
  const exchanged = { token, parent, subject, text: asked.subjectToken, target };
  const answer = await exchange(exchanged, asking, http, now);
  return { ...answer, issued_token_type: tokenTypes.accessToken };
}

async function readSubject({ subjectToken }: AskedExchange, http: HttpRequest, now: Date) {
  const { token: found } = await findAccessToken(subjectToken, now);
  const token = found && isElsewhere(found, http) ? null : found;
  http.about.userId = token?.user?.id ?? null;
  if (!token?.authorizationId) return { token, parent: null, revision: await readRevision() };
  const { revision, authorization } = await findAuthorization(token.authorizationId);
  return { token, parent: authorization, revision };
}

function subjectOf(token: LiveAccessToken | null, parent: Authorization | null): Subject | null {
  if (!token) return null;
  const isAlive = parent?.alive && parent.revokedAt === null && parent.redeemedAt !== null;
  if (token.user && !isAlive) return null;
  const { scope, audience, jkt, expiresAt, clientId, lineage } = token;
  const holders = [clientId, ...lineage];
  return { scope, audience, jkt, expiresAt, holders, isPersons: token.user !== null };
}

/** The client that a token was issued to for itself; null if it is not such a token. */
async function clientOf(text: string | undefined, now: Date): Promise<string | null> {
  if (text === undefined) return null;
  const { token } = await findAccessToken(text, now);
  return token && token.user === null ? token.clientId : null;
}

type Exchanged = {
  token: LiveAccessToken;
  parent: Authorization;
  subject: Subject;
  text: string;
  target: ExchangeTarget;
};

async function exchange(
  { token, parent, subject, text, target: { apis, scope, words, onward } }: Exchanged,
  asking: Asking,
  http: HttpRequest,
  now: Date,
): Promise<TokenAnswer> {
  const { client, settings } = asking;
  const grantId = await silentGrant({ userId: parent.userId, clientId: client.id }, words, now);
  if (grantId === 'gone') refuseEnded();
  const life = lifetimes(client, settings).refreshTokenMax;
  const ends = exchangeEnds(subject, parent, { client, holder: token.client, life }, now);
  const id = http.about.attempt ?? newId(now);
  await spendProof(asking.dpop);
  const resources = apis.map(({ identifier }) => identifier);
  const { epoch: clientEpoch, exchangeFor } = client;
  const whose = { clientId: client.id, clientEpoch, exchangeFor, grantId, consented: words };
  const from = { parentId: parent.id, subjectHash: revokedHash(text), lineage: subject.holders };
  const reach = { scope, resources, onward: accessDetail(onward) };
  const stored = await storeExchange({ id, ...whose, ...from, ...reach, ...ends }, now);
  if (!stored) refuseEnded();
  http.about.attempt = stored.id;
  const through = subject.holders.at(-1) ?? client.id;
  const name = (await findClient(through))?.name ?? through;
  const detail = { through, name, apis: apis.map((api) => api.name).join(', ') };
  const about = { userId: parent.userId, clientId: client.id, detail };
  await auditDaily({ type: 'agent.acted', ...about }, now);
  const { holders } = subject;
  const child = childOf(parent, { stored, clientId: client.id, resources, holders });
  const seen = { authorization: child, target: { apis, scope, narrowed: false, ignored: [] } };
  const what = { what: 'tokens-issued', rotation: ends.refreshes ? 0 : null } as const;
  const turn = { ...asking, id: stored.id, seen };
  const answer = await takeStep(turn, what, async () => stored, now);
  if (!answer) throw new Error('What was stored is there.');
  return answer;
}

/** Refuses because the subject token has ended. @throws OAuthRefusal always */
function refuseEnded(): never {
  refuse('invalid_request', 'subject_token or the access behind it ended during this request.', {
    rule: 'exchange.ended',
  });
}

type Stored = {
  stored: Stepped & { id: string };
  clientId: string;
  resources: readonly string[];
  holders: readonly string[];
};

function childOf(parent: Authorization, child: Stored): Authorization {
  const { stored, clientId, resources, holders } = child;
  return {
    ...parent,
    ...stored,
    clientId,
    resources: resources.join(' '),
    lineage: holders,
    sessionHash: null,
    nonce: null,
    claims: null,
    onward: '',
  };
}
