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
import { spendOnce } from '../store/spent-values.ts';

/** A request may be judged again; its assertion must be spent only once. */
const judged = new WeakMap<HttpRequest, Promise<AssertionFault | null>>();

/**
 * Judges the assertion of a request (RFC 7523 section 3), and spends it if it is valid. If the same
 * assertion arrives several times at once, even in several processes, only one succeeds. Null: it
 * is valid.
 */
export function judgeAssertion(
  assertion: string,
  client: Client,
  request: HttpRequest,
  now: Date,
): Promise<AssertionFault | null> {
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
): Promise<AssertionFault | null> {
  const { read, keys } = readFor(assertion, client, request, now);
  if ('fault' in read) return read.fault;
  const found = await keys(read.kid);
  if ('fault' in found) return found.fault;
  const fault = signatureFault(read, found.keys);
  if (fault || read.once === null) return fault;
  return (await spendOnce(read.once, read.keepUntil)) === 'spent-now' ? null : usedFault();
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
