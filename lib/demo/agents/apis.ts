import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type Server as NodeServer,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { exchangeGrant } from '../../oauth/grant-types.ts';
import { tokenTypes } from '../../oauth/token-exchange.ts';
import { exchangeOf, type Journal } from './journal.ts';
import type { Json, Party, Server } from './party.ts';

/**
 * An API: the app that serves it, the server whose tokens it accepts, and its identifier, which is
 * also its address.
 */
export type Api = { party: Party; server: Server; identifier: string };

/** A server on a free port, without any handlers yet. */
export async function listen(): Promise<{ http: NodeServer; origin: string }> {
  const http = createServer().listen(0, '127.0.0.1');
  await once(http, 'listening');
  return { http, origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}` };
}

/** What an API does for a caller with a valid token. */
type Work = (token: string, said: Json) => Promise<{ status: number; body: Json }>;

/** Answers requests whose token is valid, according to the API's server, and meant for this API. */
export function serveApi(http: NodeServer, api: Api, journal: Journal, work: Work): void {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const said = await introspect(api, token, journal);
    const { status, body } = said
      ? await work(token, said)
      : { status: 401, body: { error: 'invalid_token' } };
    response.writeHead(status, {
      'Content-Type': 'application/json',
      ...(status === 401 && { 'WWW-Authenticate': 'Bearer error="invalid_token"' }),
    });
    response.end(JSON.stringify(body));
  };
  http.on('request', (request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
}

/** What the server says about a token; null if the token is not valid here. */
async function introspect(api: Api, token: string, journal: Journal): Promise<Json | null> {
  const { party, server, identifier } = api;
  const answer = await party.ask(server, '/oauth/introspect', { token });
  const good = answer.body.active === true && [answer.body.aud].flat().includes(identifier);
  journal.tell({
    says: good
      ? `${party.name} asks ${server.name} what the token is worth. It lives, is for ${party.name}, and says for whom${answer.body.act ? ', and who acts for her (act)' : ''}.`
      : `${party.name} asks ${server.name} what the token is worth: nothing any more. ${party.name} refuses the call.`,
    clause: answer.body.act ? 'RFC 7662 section 2, RFC 8693 section 4.1' : 'RFC 7662 section 2',
    exchange: { ...exchangeOf(answer, server), body: undefined },
    reads: { what: `What ${server.name} says of the token`, values: shownOf(answer.body) },
    refused: !good,
  });
  return good ? answer.body : null;
}

/** The members of an introspection response that matter here. */
function shownOf(said: Json): Json {
  const names = ['active', 'sub', 'username', 'client_id', 'act', 'aud', 'scope'];
  return Object.fromEntries(names.filter((name) => name in said).map((name) => [name, said[name]]));
}

/**
 * Calls an API with a token (RFC 6750 section 2.1), and notes both the call and the response in the
 * journal.
 */
export async function call(
  says: string,
  api: Api,
  token: string,
  journal: Journal,
): Promise<{ status: number; body: Json }> {
  const { identifier, party } = api;
  const headers = { Authorization: `Bearer ${token}` };
  journal.tell({
    says,
    clause: 'RFC 6750 section 2.1',
    exchange: { method: 'GET', path: identifier, at: party.name, headers },
  });
  const response = await fetch(identifier, { headers });
  const answer = { status: response.status, body: (await response.json()) as Json };
  journal.answered(party.name, answer);
  return answer;
}

/** An API exchanges a token it received for a token of its own for another API. */
export async function exchange(
  { party, server }: Api,
  token: string,
  far: Api,
  journal: Journal,
): Promise<string | null> {
  const answer = await party.ask(server, '/oauth/token', {
    grant_type: exchangeGrant,
    subject_token: token,
    subject_token_type: tokenTypes.accessToken,
    resource: far.identifier,
  });
  const { access_token: own } = answer.body;
  journal.tell({
    says: own
      ? `${party.name} needs ${far.party.name} for that. The token is not for ${far.party.name}, and is never passed on: ${party.name} exchanges it for one of its own.`
      : `${party.name} may no longer exchange the token.`,
    clause: 'RFC 8693 section 2.1',
    exchange: exchangeOf(answer, server),
  });
  return typeof own === 'string' ? own : null;
}
