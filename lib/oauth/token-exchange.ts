import { type Api, apiCalled, consentWords, identifierKey, mayAskFor } from './api.ts';
import type { Client } from './client.ts';
import type { DpopProof } from './dpop.ts';
import { refuse } from './errors.ts';
import { masked } from './facts.ts';
import { idJagTokenType } from './id-jag.ts';
import { first, type Params } from './params.ts';
import { identifiersIn, readResources } from './resource.ts';
import { isBuiltIn, isOfApi, isWithin, mayAsk, parseScope, type ScopeRow } from './scope.ts';
import { addSeconds, earlier } from './token-request.ts';
import { checkFormat } from './token-target.ts';
import { type Reach, readAccessDetail } from './tokens.ts';

/*
 * Token exchange (RFC 8693). An API that received a person's token exchanges it for one with which
 * it calls another API on their behalf. The new token never allows more than the person allowed the
 * app that they signed in to: no other API, no more scope, no more time. It names the exchanging
 * client (`act`), with or without an actor token, so that no exchange makes a client look like
 * someone else.
 */

const typeOf = <Name extends string>(name: Name) =>
  `urn:ietf:params:oauth:token-type:${name}` as const;

/** Token types (section 3). */
export const tokenTypes = {
  accessToken: typeOf('access_token'),
  refreshToken: typeOf('refresh_token'),
  idToken: typeOf('id_token'),
} as const;

/** The maximum number of clients that may act for a person in one chain (section 4.1). */
const mostActors = 4;

/** What a request exchanges, and for what (section 2.1). */
export type AskedExchange = {
  subjectToken: string;
  actorToken: string | undefined;
  /** The values of `audience` and `resource`, without duplicates. */
  targets: readonly string[];
  scope: string | undefined;
};

/** @throws OAuthRefusal invalid_request */
export function readExchange(params: Params): AskedExchange {
  const subjectToken = first(params, 'subject_token');
  const type = first(params, 'subject_token_type');
  if (subjectToken === undefined || type === undefined)
    refuseParameter(
      `${subjectToken === undefined ? 'subject_token' : 'subject_token_type'} is missing.`,
      subjectToken === undefined ? 'no subject_token' : 'no subject_token_type',
      ['subject_token', `subject_token_type=${tokenTypes.accessToken}`],
    );
  if (type !== tokenTypes.accessToken)
    refuseParameter('This subject_token_type is not exchanged.', type, [tokenTypes.accessToken]);
  const requested = first(params, 'requested_token_type') ?? tokenTypes.accessToken;
  if (requested !== tokenTypes.accessToken)
    refuseParameter('This requested_token_type is not issued.', requested, [
      tokenTypes.accessToken,
      idJagTokenType,
    ]);
  const audience = first(params, 'audience');
  const targets = [...new Set([...readResources(params), ...(audience ? [audience] : [])])];
  if (targets.length === 0)
    refuseParameter('Name the API that the token is for: resource or audience.', 'neither', [
      'resource or audience',
    ]);
  return { subjectToken, actorToken: readActor(params), targets, scope: first(params, 'scope') };
}

function readActor(params: Params): string | undefined {
  const token = first(params, 'actor_token');
  const type = first(params, 'actor_token_type');
  if ((token === undefined) !== (type === undefined))
    refuseParameter(
      'actor_token and actor_token_type belong together.',
      token === undefined ? 'actor_token_type alone' : 'actor_token alone',
      ['both', 'neither'],
    );
  if (type !== undefined && type !== tokenTypes.accessToken)
    refuseParameter('This actor_token_type is not known here.', type, [tokenTypes.accessToken]);
  return token;
}

function refuseParameter(reason: string, received: string, expected: readonly string[]): never {
  refuse('invalid_request', reason, { rule: 'exchange.parameter', received, expected });
}

/** A token that is exchanged, while it is alive: its contents, and the clients it came through. */
export type Subject = {
  scope: string;
  audience: readonly string[];
  jkt: string | null;
  expiresAt: Date;
  isPersons: boolean;
  /** Ids of the client that it was issued to and of those it came through, the nearest first. */
  holders: readonly string[];
};

/**
 * The subject token must be alive, stand for a person, and be meant for the client, which means
 * that the client serves an API of its audience. No other client should have the token.
 * @throws OAuthRefusal invalid_request (section 2.2.2)
 */
export function checkSubject(
  subject: Subject | null,
  sent: string,
  client: Pick<Client, 'id'>,
  apis: readonly Api[],
): Subject {
  if (!subject)
    refuse('invalid_request', 'subject_token is unknown, expired or revoked.', {
      rule: 'exchange.subject',
      received: masked('a token that is not a live access token', sent),
      expected: ['a live access token of this server'],
    });
  if (!subject.isPersons)
    refuse('invalid_request', 'subject_token belongs to an app, not to a user.', {
      rule: 'exchange.no-person',
      received: 'a token of an app itself',
      expected: ['a token of a person'],
    });
  const served = apis.filter(({ servedBy }) => servedBy.includes(client.id));
  if (!served.some(({ identifier }) => subject.audience.includes(identifier)))
    refuse('invalid_request', 'subject_token is not for an API that this client serves.', {
      rule: 'exchange.other-audience',
      received: subject.audience.join(' ') || 'a token for no API',
      expected: served.map(({ identifier }) => identifier),
    });
  if (subject.holders.length > mostActors)
    refuse('invalid_request', `The token has already been exchanged by ${mostActors} apps.`, {
      rule: 'exchange.depth',
      received: subject.holders.join(' '),
      expected: [`at most ${mostActors}`],
    });
  return subject;
}

/**
 * The exchanging client is the actor, and has proved so by authenticating. An actor token adds
 * nothing: it must be the client's own.
 * @param actor the client that the token stands for; null: it stands for none
 * @throws OAuthRefusal invalid_request
 */
export function checkActor(
  sent: string | undefined,
  actor: string | null,
  client: Pick<Client, 'id'>,
): void {
  if (sent === undefined || actor === client.id) return;
  refuse('invalid_request', 'actor_token is not a live token of this client itself.', {
    rule: 'exchange.actor',
    received: actor ?? masked('a token that does not belong to an app', sent),
    expected: [client.id],
  });
}

/**
 * If the exchanged token is bound to a key, the new token must be bound, too: to the exchanging
 * client's key.
 * @throws OAuthRefusal invalid_request
 */
export function checkStaysBound({ jkt }: Pick<Subject, 'jkt'>, proof: DpopProof | null): void {
  if (jkt === null || proof !== null) return;
  refuse('invalid_request', 'The token is bound to a key, so its exchange needs a DPoP proof.', {
    rule: 'exchange.unbound',
    received: 'no DPoP proof',
    expected: ['a DPoP proof'],
  });
}

/** The exchanging client, and what this server knows. */
type Exchanger = {
  client: Pick<Client, 'id' | 'origin' | 'exchangeFor' | 'firstParty' | 'scopes'>;
  apis: readonly Api[];
  scopes: readonly ScopeRow[];
};

type Whole = { scope: string; resources: string; onward: string };

/**
 * What the new token is for, the words for it in the client's grant, and what it may be exchanged
 * for in turn.
 */
export type ExchangeTarget = {
  apis: readonly Api[];
  scope: string;
  words: readonly string[];
  onward: Reach;
};

/**
 * The APIs that the new token is for, and its scope. They stay within what the person allowed when
 * they signed in, what was passed on from there, and what the client may ask for.
 * @throws OAuthRefusal invalid_target, invalid_scope
 */
export function checkExchangeTarget(
  asked: Pick<AskedExchange, 'targets' | 'scope'>,
  subject: Pick<Subject, 'scope' | 'audience'>,
  { scope, resources, onward }: Whole,
  exchanger: Exchanger,
): ExchangeTarget {
  const own = { scope, audience: identifiersIn(resources) };
  const whole = readAccessDetail(onward, own);
  const apis = checkTargets(asked.targets, whole, exchanger);
  const passed = passedOn(subject, whole, exchanger);
  const names = askedNames(asked.scope, passed);
  const told = names.filter((name) => isTold(name, { apis, whole, exchanger }));
  // Scopes about the person are only given to clients that name them.
  const within = asked.scope === undefined ? told.filter((name) => !isBuiltIn(name)) : told;
  if (asked.scope !== undefined && within.length === 0)
    refuse('invalid_scope', 'This client may not request any of these scopes at this API.', {
      rule: 'scope.not-allowed',
      received: asked.scope,
      expected: passed.filter((name) => isTold(name, { apis, whole, exchanger })),
    });
  const given = within.join(' ');
  checkFormat(apis, given);
  const ofServer = within.filter((name) => exchanger.scopes.some((row) => row.name === name));
  const words = [...ofServer, ...apis.flatMap((api) => consentWords(api, within))];
  return {
    apis,
    scope: given,
    words: [...new Set(words)],
    onward: { scope: names.join(' '), audience: whole.audience },
  };
}

function checkTargets(targets: readonly string[], whole: Reach, exchanger: Exchanger): Api[] {
  const { client, apis } = exchanger;
  const found = targets.map((target) => {
    const api = apiCalled(target, apis);
    if (!api)
      refuse('invalid_target', 'There is no API with this identifier.', {
        rule: 'resource.unknown',
        received: target,
      });
    if (!mayExchangeFor(client, api.identifier))
      refuse('invalid_target', 'This client may not exchange tokens for this API.', {
        rule: 'exchange.not-permitted',
        received: api.identifier,
        expected: client.exchangeFor,
      });
    if (!mayAskFor(api, client))
      refuse('invalid_target', 'This client may not ask for tokens of this API.', {
        rule: 'resource.not-allowed',
        received: api.identifier,
      });
    // For clients that the operator vouches for, the person is not asked.
    if (!whole.audience.includes(api.identifier) && !client.firstParty)
      refuse('invalid_target', 'The person has not allowed this API.', {
        rule: 'resource.not-granted',
        received: api.identifier,
        expected: whole.audience,
      });
    return api;
  });
  return [...new Set(found)];
}

/** Whether an admin lets a client exchange tokens for an API, however its identifier is spelled. */
export const mayExchangeFor = ({ exchangeFor }: Pick<Client, 'exchangeFor'>, identifier: string) =>
  exchangeFor.some((each) => identifierKey(each) === identifierKey(identifier));

/**
 * The scopes that have been passed on so far. A token for one API of an authorization does not
 * carry the scopes of the other APIs. But a scope that it could carry and does not was taken away
 * earlier.
 */
function passedOn(
  subject: Pick<Subject, 'scope' | 'audience'>,
  whole: Reach,
  { apis, scopes }: Exchanger,
): string[] {
  const here = apis.filter(({ identifier }) => subject.audience.includes(identifier));
  const carried = wordsIn(subject.scope);
  const could = (name: string) => scopes.some((row) => row.name === name) || isOfApi(name, here);
  return wordsIn(whole.scope).filter((name) => carried.includes(name) || !could(name));
}

/**
 * The scopes that the new token, and tokens exchanged for it, may have.
 * @throws OAuthRefusal invalid_scope
 */
function askedNames(asked: string | undefined, passed: readonly string[]): readonly string[] {
  if (asked === undefined) return passed;
  const names = parseScope(asked);
  if (!isWithin(names, passed))
    refuse('invalid_scope', 'scope exceeds what the exchanged token allows.', {
      rule: 'scope.wider',
      received: asked,
      expected: passed,
    });
  return names;
}

type Telling = { apis: readonly Api[]; whole: Reach; exchanger: Exchanger };

/** The server's own, or of its APIs and allowed with them. */
function isTold(name: string, { apis, whole, exchanger }: Telling): boolean {
  const row = exchanger.scopes.find((each) => each.name === name);
  if (row) return mayAsk(exchanger.client, row);
  const having = apis.filter((api) => isOfApi(name, [api]));
  return having.length > 0 && having.every(({ identifier }) => whole.audience.includes(identifier));
}

const wordsIn = (list: string) => list.split(' ').filter(Boolean);

type Ends = { idleUntil: Date | null; endsAt: Date | null; keepUntil: Date };

/**
 * When the authorization of the new token ends, and whether it has a refresh token. It only has one
 * if the subject token's authorization has one, and does not outlive that authorization.
 */
export function exchangeEnds(
  subject: Pick<Subject, 'expiresAt'>,
  ends: Ends,
  refreshing: { client: Pick<Client, 'grants'>; holder: Pick<Client, 'grants'>; life: number },
  now: Date,
): { refreshes: boolean; endsAt: Date } {
  const { idleUntil, endsAt, keepUntil } = ends;
  const may = [refreshing.client, refreshing.holder].every(({ grants }) =>
    grants.includes('refresh_token'),
  );
  const whole = idleUntil && earlier(earlier(idleUntil, endsAt), keepUntil);
  if (may && whole && whole > subject.expiresAt)
    return { refreshes: true, endsAt: earlier(whole, addSeconds(now, refreshing.life)) };
  return { refreshes: false, endsAt: earlier(subject.expiresAt, keepUntil) };
}

/** The clients that act for the person (section 4.1), the nearest outermost. No claim if none. */
export function actClaim(actors: readonly string[]): { act?: Act } {
  const act = actors.reduceRight<Act | undefined>(
    (inner, sub) => ({ sub, ...(inner && { act: inner }) }),
    undefined,
  );
  return act ? { act } : {};
}
type Act = { sub: string; act?: Act };

/**
 * The actors of an authorization. The last of the clients that it came through signed the person
 * in, and does not act for anyone.
 */
export const actorsOf = (clientId: string, lineage: readonly string[]): string[] =>
  lineage.length === 0 ? [] : [clientId, ...lineage.slice(0, -1)];
