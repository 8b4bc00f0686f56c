import { readBodyParams, readQueryParams } from '../http/body.ts';
import type { HttpRequest } from '../http/message.ts';
import { claimedClientId } from '../oauth/client-auth.ts';
import { isRefusal, refuse } from '../oauth/errors.ts';
import { noteIgnoredParams, secretParams } from '../oauth/ignored.ts';
import { isRepeated, joinParams, type Params } from '../oauth/params.ts';
import { repeatable } from '../oauth/resource.ts';
import { foldScope, isRagged } from '../oauth/scope.ts';
import { clientAt } from '../store/clients.ts';
import { readRevision } from '../store/engine/revision.ts';
import { readSettings } from '../store/settings.ts';

/** What an endpoint does with parameters. */
export type ParamRules = {
  known: ReadonlySet<string>;
  /** It reads them from the URL as well. */
  fromQuery?: boolean;
  /** What else refuses parameters, before the client is known. */
  check?: (params: Params) => void;
};

/**
 * The parameters that a program sends to an endpoint. Those that the endpoint doesn't know are
 * ignored and noted, wherever they are (RFC 6749 section 3.2). A known one, and anything that holds
 * a secret, has to be in the body: URLs end up in logs, and nothing in one may be consumed. A
 * refusal is recorded with the client that the request names.
 * @param rulesFor is given everything that was sent
 * @throws OAuthRefusal invalid_request
 */
export async function readProgramParams(
  request: HttpRequest,
  rulesFor: (sent: Params) => ParamRules | Promise<ParamRules>,
): Promise<Params> {
  let body: Params = new Map();
  try {
    body = await readBodyParams(request);
    const query = readQueryParams(request);
    const { known, fromQuery, check } = await rulesFor(joinParams(body, query));
    const meant = knownIn(query, known);
    const params = joinParams(body, meant);
    checkNotRepeated(knownIn(params, known));
    if (!fromQuery) checkNothingInQuery(meant);
    check?.(params);
    noteIgnored(joinParams(params, query), known, request);
    return await folded(params, request);
  } catch (error) {
    if (isRefusal(error)) await nameClient(body, request);
    throw error;
  }
}

async function folded(params: Params, { about }: HttpRequest): Promise<Params> {
  if (!isRagged(params)) return params;
  const fold = foldScope(params, await readSettings());
  about.notes.push(...fold.notes);
  return fold.params;
}

/**
 * Keeps a success that a trace would not keep, if something about it was noted.
 * @param attempt the authorization request that it belongs to
 */
export function keepNoted({ about }: HttpRequest, attempt: string | null): void {
  if (about.notes.length > 0) Object.assign(about, { attempt, outcome: 'done' });
}

export function noteIgnored(
  params: Params,
  known: ReadonlySet<string>,
  { about }: Pick<HttpRequest, 'about'>,
): void {
  about.notes.push(...noteIgnoredParams(params, known));
}

/**
 * Refuses secrets in the URL of a request that has no other parameters. Everything else in the URL
 * is ignored and noted.
 * @throws OAuthRefusal invalid_request
 */
export function ignoreQuery(request: HttpRequest): void {
  const query = readQueryParams(request);
  checkNothingInQuery(knownIn(query, nothing));
  noteIgnored(query, nothing, request);
}
const nothing: ReadonlySet<string> = new Set();

const knownIn = (query: Params, known: ReadonlySet<string>): Params =>
  new Map([...query].filter(([name]) => known.has(name) || secretParams.has(name)));

/** @throws OAuthRefusal invalid_request */
function checkNothingInQuery(meant: Params): void {
  if (meant.size === 0) return;
  refuse('invalid_request', 'Send parameters in the body of the request, not in its URL.', {
    rule: 'parameter.in-query',
    received: [...meant.keys()].join(' '),
    expected: ['in the body'],
  });
}

/**
 * RFC 6749 section 3.2: no parameter may be sent more than once, except `resource` (RFC 8707
 * section 2).
 * @throws OAuthRefusal invalid_request
 */
export function checkNotRepeated(params: Params): void {
  const repeated = [...params.keys()].find(
    (name) => isRepeated(params, name) && name !== repeatable,
  );
  if (repeated !== undefined)
    refuse('invalid_request', `${repeated.slice(0, 40)} was sent more than once.`, {
      rule: 'parameter.repeated',
      received: repeated,
    });
}

/** Names the client in the record of a request that was refused before it authenticated. */
async function nameClient(body: Params, request: HttpRequest): Promise<void> {
  const id = claimedClientId(body, request.header('authorization'));
  const client = id === undefined ? null : await clientAt(await readRevision(), id);
  request.about.clientId = client?.id ?? null;
}
