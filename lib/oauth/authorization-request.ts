import { type AskedAcr, acrNames, askedAcr } from './acr.ts';
import type { Api } from './api.ts';
import { type AskedClaims, parseAskedClaims, scopesOfClaims, withinScopes } from './claims.ts';
import type { Client } from './client.ts';
import { checkThumbprint } from './dpop.ts';
import { refuse, refusePage } from './errors.ts';
import type { Facts } from './facts.ts';
import { checkGrantType } from './grant-types.ts';
import { wordsAsked } from './grant-words.ts';
import { first, isRepeated, type Params } from './params.ts';
import { checkChallenge } from './pkce.ts';
import { checkRedirectUri, type RedirectTarget } from './redirect-uri.ts';
import { type AskedApis, askedResources, checkResources } from './resource.ts';
import { checkScope, mayAsk, type ScopeRow } from './scope.ts';
import { nameByProof } from './self-given-name.ts';
import type { ProtocolSettings } from './settings.ts';
import { checkStrength } from './strong-client.ts';

export type AuthorizationRequest = {
  clientId: string;
  scope: string[];
  state?: string | undefined;
  codeChallenge?: string | undefined;
  responseMode: ResponseMode;
  prompt: readonly Prompt[];
  /** Seconds. */
  maxAge?: number | undefined;
  loginHint?: string | undefined;
  idTokenHint?: string | undefined;
  /** The `sub` of the only user who may answer: from `claims`, or from the verified hint. */
  subject?: string | undefined;
  nonce?: string | undefined;
  /** The thumbprint of the key that its code is bound to (RFC 9449 section 10); null: none. */
  dpopJkt: string | null;
  uiLocales?: string | undefined;
  claims?: AskedClaims | undefined;
  /** The sign-in strength that was asked for, if any. */
  acr?: AskedAcr | undefined;
  /** The APIs that its tokens will be for, and the resources it named that are unknown here. */
  resources: AskedApis;
  /**
   * What the user is asked to allow, as words of a grant: the requested scopes, the scopes of
   * individually requested claims, and the APIs with their scopes.
   */
  consentScope: string[];
};

/** How an answer reaches the app (OAuth 2.0 Multiple Response Types section 2.1, Form Post). */
export const responseModes = ['query', 'fragment', 'form_post'] as const;
export type ResponseMode = (typeof responseModes)[number];
/** `create`: OpenID Connect Prompt Create. Others are ignored (OpenID Connect Core section 3.1.2.1). */
export const prompts = ['none', 'login', 'consent', 'select_account', 'create'] as const;
type Prompt = (typeof prompts)[number];

/** Seconds within which a pending request may be answered. Its answer is remembered for as long. */
export const pendingRequestLife = 3600;

/**
 * The parameters this endpoint knows, besides `resource`, which may repeat. Others are ignored (RFC
 * 6749 section 3.1).
 */
export const knownParams = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'max_age',
  'login_hint',
  'id_token_hint',
  'nonce',
  'response_mode',
  'ui_locales',
  'display',
  'acr_values',
  'claims',
  'request',
  'request_uri',
  'registration',
  'dpop_jkt',
] as const;

const maxStateBytes = 4096;

/** Reads client_id before anything else in the request is trusted. @throws PageRefusal */
export function readClientId(params: Params): string {
  if (isRepeated(params, 'client_id'))
    refusePage('client_id_repeated', 'client_id was sent more than once.', null, {
      facts: {
        rule: 'parameter.repeated',
        received: 'client_id',
      },
    });
  const missing = { rule: 'client.missing', expected: ['client_id'] } as const;
  return (
    first(params, 'client_id') ??
    refusePage('client_id_missing', 'client_id is missing.', null, { facts: missing })
  );
}

/**
 * The first half of the rules: where a response may be sent. They run before all others, because
 * every later refusal is sent to this address. Until the client and its redirect URI have been
 * checked, anyone could have made up the request. So a failure is shown to the person here, and no
 * one is redirected (RFC 6749 sections 3.1.2.4 and 4.1.2.1, RFC 9700 section 4.11).
 * @throws PageRefusal
 */
export function checkRecipient(
  params: Params,
  client: Client | null,
  settings: ProtocolSettings,
): { client: Client; target: RedirectTarget } {
  const received = first(params, 'client_id');
  if (!client)
    refusePage('client_unknown', 'There is no client with this client_id.', null, {
      facts: {
        rule: 'client.unknown',
        received,
      },
    });
  if (client.disabled)
    refusePage('client_disabled', 'This client is disabled.', null, {
      asked: {
        client: { id: client.id, name: nameByProof(client) },
        redirectUri: first(params, 'redirect_uri'),
      },
      facts: { rule: 'client.disabled', received },
    });
  const target = checkRedirectUri(params, client, settings);
  checkStrongTarget(client, target);
  return { client, target };
}

/** No response without TLS (FAPI 2.0 Security Profile section 5.3.2.2). */
function checkStrongTarget(client: Client, { uri, kind, sent }: RedirectTarget): void {
  if (!client.strong || (sent && kind === 'https')) return;
  const asked = { client: { id: client.id, name: nameByProof(client) }, redirectUri: uri };
  if (!sent)
    refusePage('redirect_uri_missing', 'redirect_uri is missing.', null, {
      asked: { ...asked, redirectUri: undefined },
      facts: { rule: 'redirect-uri.missing', expected: client.redirectUris },
    });
  refusePage('redirect_uri_forbidden', 'A strong client may only use https redirect URIs.', null, {
    asked,
    facts: { rule: 'redirect-uri.forbidden', received: uri, expected: ['an https address'] },
  });
}

/** The state to send with an error. It is left out if it cannot be returned unchanged. */
export function stateToReturn(params: Params): string | undefined {
  const state = first(params, 'state');
  return state === undefined || isRepeated(params, 'state') || isStateTooLong(state)
    ? undefined
    : state;
}

/** The response mode of an error: the query if response_mode itself is in doubt. */
export function responseModeForErrors(params: Params): ResponseMode {
  const mode = isRepeated(params, 'response_mode') ? undefined : first(params, 'response_mode');
  return responseModes.find((known) => known === mode) ?? 'query';
}

function isStateTooLong(state: string): boolean {
  return Buffer.byteLength(state) > maxStateBytes;
}

/** What an authorization request is checked against, besides its client. */
type ServerKnows = {
  scopes: readonly ScopeRow[];
  apis: readonly Api[];
  settings: ProtocolSettings;
  /** The client pushed the request (RFC 9126), or this server made it itself. */
  pushed: boolean;
};

/**
 * The second half of the rules, in the order of RFC 6749 section 4.1.1 and OpenID Connect Core
 * section 3.1.2.1. Repeated parameters come first, because none of their values can be trusted.
 * Then come whether this kind of request is answered at all, what it asks for, what protects the
 * response, and how to treat the person. All of this precedes sign-in and consent, so that no one
 * signs in for a request that cannot succeed.
 * @throws OAuthRefusal that is sent back to the client
 */
export function checkAuthorizationRequest(
  params: Params,
  client: Client,
  { scopes, apis: known, settings, pushed }: ServerKnows,
): AuthorizationRequest {
  const repeated = knownParams.find((name) => isRepeated(params, name));
  if (repeated)
    refuse('invalid_request', `${repeated} was sent more than once.`, {
      rule: 'parameter.repeated',
      received: repeated,
    });
  checkStrength(client);
  checkPushed(pushed, client, settings);
  checkResponseType(first(params, 'response_type'));
  checkGrantType(client, 'authorization_code');
  const resources = checkResources(askedResources(params, client), client, known, settings);
  const { apis } = resources;
  const scope = checkScope(first(params, 'scope'), client, scopes, apis);
  const state = checkState(first(params, 'state'));
  const codeChallenge = checkChallenge(params, client, settings);
  const openId = checkOpenIdParams(params);
  const claimScopes = scopesOfClaims(openId.claims).filter((name) =>
    scopes.some((row) => row.name === name && mayAsk(client, row)),
  );
  const claims = withinScopes(openId.claims, claimScopes);
  const consentScope = [...new Set([...wordsAsked(scope, apis, scopes), ...claimScopes])];
  return {
    clientId: client.id,
    scope,
    state,
    codeChallenge,
    dpopJkt: checkThumbprint(first(params, 'dpop_jkt')),
    ...openId,
    claims,
    resources,
    consentScope,
    subject: claims?.subject,
    acr: checkAcr(claims?.acr ?? askedAcr(first(params, 'acr_values'), undefined)),
  };
}

function checkState(state: string | undefined): string | undefined {
  if (state !== undefined && isStateTooLong(state))
    refuse('invalid_request', `state is longer than ${maxStateBytes} bytes.`, {
      rule: 'state.too-long',
      received: `${Buffer.byteLength(state)} bytes`,
      expected: [`at most ${maxStateBytes} bytes`],
    });
  return state;
}

function checkAcr(acr: AuthorizationRequest['acr']): AuthorizationRequest['acr'] {
  if (acr?.values.length === 0)
    refuse(
      'unmet_authentication_requirements',
      'No sign-in at this server has the essential acr.',
      {
        rule: 'parameter.invalid',
        received: 'acr as an essential claim, with other values',
        expected: acrNames,
      },
    );
  return acr;
}

/** RFC 9126 sections 5 and 6: where requests must be pushed, others are refused. */
function checkPushed(pushed: boolean, client: Client, settings: ProtocolSettings): void {
  const { requirePushedAuthorizationRequests: own } = client;
  if (pushed || !(own ?? settings.requirePushedAuthorizationRequests)) return;
  refuse('invalid_request', 'This client has to push its authorization requests (RFC 9126).', {
    rule: 'request-uri.required',
    received: 'parameters in the address',
    expected: ['a request_uri from /oauth/par'],
  });
}

function checkResponseType(type: string | undefined): void {
  const facts = { rule: 'response-type', received: type, expected: ['code'] } as const;
  if (type === undefined) refuse('invalid_request', 'response_type is missing.', facts);
  if (type !== 'code') refuse('unsupported_response_type', 'response_type must be code.', facts);
}

function checkOpenIdParams(params: Params) {
  const sent = (name: string) => ({ rule: 'request.object', received: name }) as const;
  if (first(params, 'request'))
    refuse('request_not_supported', 'A request object was sent.', sent('request'));
  if (first(params, 'request_uri'))
    refuse('request_uri_not_supported', 'request_uri was sent.', sent('request_uri'));
  if (first(params, 'registration'))
    refuse('registration_not_supported', 'registration was sent.', sent('registration'));
  return {
    responseMode: checkResponseMode(first(params, 'response_mode')),
    prompt: checkPrompt(first(params, 'prompt')),
    maxAge: checkMaxAge(first(params, 'max_age')),
    loginHint: first(params, 'login_hint'),
    idTokenHint: first(params, 'id_token_hint'),
    nonce: first(params, 'nonce'),
    uiLocales: first(params, 'ui_locales'),
    claims: parseAskedClaims(first(params, 'claims')),
  };
}

function checkResponseMode(mode: string | undefined): ResponseMode {
  if (mode === undefined) return 'query';
  return (
    responseModes.find((known) => known === mode) ??
    refuse('invalid_request', 'response_mode must be query, fragment or form_post.', {
      rule: 'response-mode',
      received: mode,
      expected: responseModes,
    })
  );
}

function checkPrompt(text: string | undefined): Prompt[] {
  const names = promptsIn(text);
  if (names.includes('none') && names.length > 1)
    refuse('invalid_request', 'prompt=none cannot be combined with other values.', {
      rule: 'parameter.invalid',
      received: `prompt=${text}`,
      expected: ['prompt=none'],
    });
  return prompts.filter((prompt) => names.includes(prompt));
}

const promptsIn = (text: string | undefined) => text?.split(' ').filter(Boolean) ?? [];

/** Notes values of `prompt` without effect, as `create` is where nobody can register. */
export function noteIgnoredPrompts(text: string | undefined, mayCreate: boolean): Facts[] {
  const known: readonly string[] = prompts.filter((prompt) => mayCreate || prompt !== 'create');
  const ignored = promptsIn(text).filter((name) => !known.includes(name));
  const received = `prompt=${ignored.join(' ').slice(0, 100)}`;
  return ignored.length === 0 ? [] : [{ rule: 'parameter.ignored', received, expected: known }];
}

function checkMaxAge(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return /^\d{1,10}$/.test(text)
    ? Number(text)
    : refuse('invalid_request', 'max_age must be a whole number of seconds.', {
        rule: 'parameter.invalid',
        received: `max_age=${text}`,
        expected: ['whole seconds'],
      });
}
