import { config } from '../config.ts';
import type { HttpRequest } from '../http/message.ts';
import type { Client } from '../oauth/client.ts';
import {
  type AssertionFault,
  readAssertion,
  signatureFault,
  usedFault,
} from '../oauth/client-assertion.ts';
import { proofOf } from '../oauth/client-auth-methods.ts';
import { readFederated } from '../oauth/federated-assertion.ts';
import { clientSigningAlgs } from '../oauth/key-set.ts';
import { issuerKnownTo } from '../oauth/old-issuer.ts';
import { strongAlgs } from '../oauth/strong-client.ts';
import { keysOfClient, keysOfIssuer } from '../registration/key-sets.ts';
import type { SingleUse } from '../store/spent-values.ts';
import { trySpend } from './single-use.ts';

/** What is wrong with an assertion (null: nothing), and what its use has to spend (null: nothing). */
type Verdict = { fault: AssertionFault | null; use: SingleUse | null };

/** A request may be judged again; its assertion is judged once. */
const judged = new WeakMap<HttpRequest, Promise<Verdict>>();

/**
 * Judges the assertion of a request (RFC 7523 section 3), and spends it if it is valid. If the same
 * assertion arrives several times at once, even in several processes, only one succeeds. Null: it
 * is valid.
 */
export async function judgeAssertion(
  assertion: string,
  client: Client,
  request: HttpRequest,
  now: Date,
): Promise<AssertionFault | null> {
  const { fault, use } = await judgeUnspent(assertion, client, request, now);
  return fault || use === null || (await trySpend(use)) ? fault : usedFault();
}

/** The same for an assertion that a step will spend with it, in one transaction. */
export function judgeUnspent(
  assertion: string,
  client: Client,
  request: HttpRequest,
  now: Date,
): Promise<Verdict> {
  const before = judged.get(request);
  if (before) return before;
  const verdict = judgeOnce(assertion, client, request, now);
  judged.set(request, verdict);
  return verdict;
}

async function judgeOnce(
  assertion: string,
  client: Client,
  request: HttpRequest,
  now: Date,
): Promise<Verdict> {
  const { read, keys } = readFor(assertion, client, request, now);
  if ('fault' in read) return { fault: read.fault, use: null };
  const found = await keys(read.kid);
  if ('fault' in found) return { fault: found.fault, use: null };
  const { once: hash, keepUntil: expiresAt } = read;
  return {
    fault: signatureFault(read, found.keys),
    use: hash === null ? null : { hash, expiresAt },
  };
}

/** Reads the assertion, and returns a function that finds the keys it may be signed with. */
function readFor(assertion: string, client: Client, request: HttpRequest, now: Date) {
  const about = { clientId: client.id, issuer: issuerKnownTo(client, config().issuer) };
  if (proofOf(client) !== 'federation') {
    const algs = client.strong ? strongAlgs : clientSigningAlgs;
    const read = readAssertion(assertion, { ...about, algs }, now);
    return { read, keys: (kid: string | undefined) => keysOfClient(client, kid, request, now) };
  }
  const { federatedCredentials: credentials } = client;
  const found = readFederated(assertion, { ...about, credentials }, now);
  return {
    read: 'fault' in found ? found : found.read,
    keys: async (kid: string | undefined) =>
      'fault' in found ? found : keysOfIssuer(found.credential, kid, request, now),
  };
}
