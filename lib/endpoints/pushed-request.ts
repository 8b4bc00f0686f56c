import { json } from '../http/answers.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { limitRequests } from '../http/request-limits.ts';
import { tryLater } from '../http/serve.ts';
import { checkRequest, contextOf, type RequestContext } from '../interaction/context.ts';
import { newPendingRequest, sealPendingRequest } from '../interaction/pending-request.ts';
import { pushedLife, requestUriOf } from '../interaction/pushed-request.ts';
import { knownParams } from '../oauth/authorization-request.ts';
import type { Client } from '../oauth/client.ts';
import { proofOf } from '../oauth/client-auth-methods.ts';
import { checkProof } from '../oauth/dpop.ts';
import { PageRefusal, refuse } from '../oauth/errors.ts';
import { paramsOf } from '../oauth/ignored.ts';
import { first, type Params } from '../oauth/params.ts';
import { repeatable } from '../oauth/resource.ts';
import { newId } from '../oauth/secrets.ts';
import { tooMany } from '../oauth/too-many.ts';
import { clientFor } from '../registration/find.ts';
import { readRevision } from '../store/engine/revision.ts';
import { authenticateClient, type Sent } from './client-authentication.ts';
import { endpointUrls, readDpop, spendProof } from './dpop.ts';
import { keepNoted, readProgramParams } from './program-params.ts';

/**
 * The pushed authorization request endpoint (RFC 9126 section 2): the client authenticates, its
 * request passes every check of the authorization endpoint, and it sends the browser with the
 * request_uri alone.
 * @throws OAuthRefusal
 */
export async function pushRequest(request: HttpRequest, now: Date): Promise<HttpResponse> {
  const sent = await readProgramParams(request, () => ({ known: paramsOf.push }));
  const revision = await readRevision();
  const visit = await contextOf(request, { revision, session: null });
  const find = async (id: string) => {
    const found = await toProgram(() => clientFor(id, visit, now), now);
    if (found?.unstored && proofOf(found) !== null) await limitStrangers(request, now);
    return found;
  };
  const client = await authenticateClient({ params: sent, http: request }, revision, now, find);
  if (first(sent, 'request_uri'))
    refuse('invalid_request', 'A request_uri cannot be pushed (RFC 9126 section 2.1).', {
      rule: 'request.object',
      received: 'request_uri',
    });
  const params = await boundToProof(
    { params: paramsIn(sent, client), http: request },
    client,
    visit,
    now,
  );
  const { target } = await toProgram(
    () => checkRequest({ params, pushed: true }, visit, request.about, now),
    now,
  ).finally(() => {
    // There is no browser here, so refusals are answered in this response.
    request.about.reply = null;
  });
  const id = newId(now);
  const uri = (await requestUriOf(params, id, now)) ?? refuseLong();
  // Refuses now what would later be too long for a pending request.
  const arrived = { params, redirectUri: target.uri, browser: null, pushed: { id, at: now } };
  await sealPendingRequest(newPendingRequest(arrived, now));
  keepNoted(request, id);
  return json(201, { request_uri: uri, expires_in: pushedLife });
}

/** Limit for one network in 15 minutes. */
const mostOfStrangers = 60;

/** Anyone can make one, and each assertion is stored as spent. @throws OAuthRefusal */
const limitStrangers = (request: HttpRequest, now: Date) =>
  limitRequests(
    { what: 'push', limit: mostOfStrangers },
    request,
    { rule: 'registration.too-many' },
    now,
  );

/** The parameters of the authorization request, without those that authenticate the client. */
function paramsIn(sent: Params, client: Client): Params {
  const asked = [...sent].filter(
    ([name, values]) =>
      values.some(Boolean) && ([...knownParams, repeatable] as string[]).includes(name),
  );
  return new Map([...asked, ['client_id', [client.id]]]);
}

/**
 * A proof sent with a pushed request binds its code to the key (RFC 9449 section 10.1). The proof
 * of an authenticated client can be used only once. The proof of any other client is worth no more
 * than `dpop_jkt`, and storing it would let anyone fill `spent_values`.
 * @throws OAuthRefusal
 */
async function boundToProof(
  { params, http }: Sent,
  client: Client,
  { settings }: RequestContext,
  now: Date,
): Promise<Params> {
  const dpop = readDpop(http, endpointUrls(http, '/oauth/par'), now);
  const proof = dpop && checkProof(dpop, client, settings);
  if (!proof) return params;
  const said = first(params, 'dpop_jkt') ?? proof.jkt;
  if (said !== proof.jkt)
    refuse('invalid_dpop_proof', 'dpop_jkt does not match the key of the DPoP proof.', {
      rule: 'dpop.other-key',
      received: `dpop_jkt=${said}`,
      expected: [proof.jkt],
    });
  if (proofOf(client) !== null) await spendProof(proof);
  return new Map([...params, ['dpop_jkt', [proof.jkt]]]);
}

const refuseLong = (): never =>
  refuse('invalid_request', 'The parameters are too long in total.', { rule: 'request.malformed' });

/** A program reads no pages (RFC 9126 section 2.3). */
async function toProgram<T>(run: () => Promise<T>, now: Date): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof PageRefusal)) throw error;
    const { reason, facts, code, refusedUntil } = error;
    if (refusedUntil) throw tooMany(reason, refusedUntil.getTime() - now.getTime(), facts);
    if (code === 'temporarily_unavailable') throw tryLater();
    refuse('invalid_request', reason, facts);
  }
}
