import { barredFromAll } from '../../access/held.ts';
import type { HttpRequest } from '../../http/message.ts';
import { findAccessToken } from '../../identity/tokens.ts';
import { checkClientAuthentication } from '../../oauth/client-auth.ts';
import { checkProof } from '../../oauth/dpop.ts';
import { OAuthRefusal, refuse } from '../../oauth/errors.ts';
import { checkConfidentialGrant, exchangeGrant } from '../../oauth/grant-types.ts';
import { idJagTokenType } from '../../oauth/id-jag.ts';
import { elsewhere, isOfOtherRealm } from '../../oauth/old-issuer.ts';
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
import { readClient } from '../client-authentication.ts';
import { spendProof } from '../dpop.ts';
import type { Asking, TokenAnswer } from '../issue-tokens.ts';
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
  const { credentials, named } = await readClient(params, http, await readRevision(), now);
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
  await checkPerson(exchanger, { ...parent, lineage: subject.holders }, revision, now);
  const asking = { ...proof, settings, revision, dpop };
  const from = { token, parent, subject, text: asked.subjectToken };
  const answer = await exchange(from, target, asking, http, now);
  return { ...answer, issued_token_type: tokenTypes.accessToken };
}

/** The subject token and its authorization, as of one revision. */
async function readSubject({ subjectToken }: AskedExchange, http: HttpRequest, now: Date) {
  const { token: found } = await findAccessToken(subjectToken, now);
  const isElsewhere = found !== null && isOfOtherRealm(found.client, http.oldIssuer);
  if (isElsewhere) http.about.notes.push(elsewhere(http.oldIssuer));
  const token = isElsewhere ? null : found;
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

/**
 * Checks that the user may use the client that exchanges, and every client that the token came
 * through, as if the user were there.
 * @throws OAuthRefusal invalid_request (section 2.2.2), insufficient_user_authentication
 */
async function checkPerson(
  { client }: Pick<Asking, 'client'>,
  held: Authorization,
  revision: number,
  now: Date,
): Promise<void> {
  const barred = await barredFromAll(client, held, 'anew', revision, now);
  if (!barred) return;
  if (barred.by === 'sign-in') throw barred.refusal;
  const { reason, facts } = barred.refusal;
  throw new OAuthRefusal('invalid_request', reason, {}, facts);
}

/** The token that is exchanged, and its authorization. */
type From = { token: LiveAccessToken; parent: Authorization; subject: Subject; text: string };

async function exchange(
  { token, parent, subject, text }: From,
  { apis, scope, words, onward }: ExchangeTarget,
  asking: Asking,
  http: HttpRequest,
  now: Date,
): Promise<TokenAnswer> {
  const { client, settings } = asking;
  const grantId = await silentGrant({ userId: parent.userId, clientId: client.id }, words, now);
  if (grantId === 'gone') refuseEnded();
  const refreshing = { client, holder: token.client };
  const { refreshTokenMax } = lifetimes(client, settings);
  const ends = exchangeEnds(subject, parent, refreshing, refreshTokenMax, now);
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
  const front = subject.holders.at(-1) ?? client.id;
  const detail = {
    through: front,
    name: await nameOf(front),
    apis: apis.map(({ name }) => name).join(', '),
  };
  const { userId } = parent;
  await auditDaily({ type: 'agent.acted', userId, clientId: client.id, detail }, now);
  const child = childOf(parent, {
    stored,
    clientId: client.id,
    resources,
    holders: subject.holders,
  });
  const seen = { authorization: child, target: { apis, scope, narrowed: false, ignored: [] } };
  const what = { what: 'tokens-issued', rotation: ends.refreshes ? 0 : null } as const;
  const turn = { ...asking, id: stored.id, seen };
  const answer = await takeStep(turn, what, async () => stored, now);
  if (!answer) throw new Error('What was stored is there.');
  return answer;
}

const nameOf = async (id: string) => (await findClient(id))?.name ?? id;

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

/** The new authorization as it is stored. */
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
