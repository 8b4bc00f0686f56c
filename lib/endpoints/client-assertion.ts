import { config } from '../config.ts';
import type { HttpRequest } from '../http/message.ts';
import type { Client } from '../oauth/client.ts';
import {
  type AssertionFault,
  readAssertion,
  signatureFault,
  usedFault,
} from '../oauth/client-assertion.ts';
import { clientSigningAlgs } from '../oauth/key-set.ts';
import { issuerKnownTo } from '../oauth/old-issuer.ts';
import { strongAlgs } from '../oauth/strong-client.ts';
import { keysOf } from '../registration/key-sets.ts';
import { spendOnce } from '../store/spent-values.ts';

/** A request is judged more than once where another was faster; its assertion is spent once. */
const judged = new WeakMap<HttpRequest, Promise<AssertionFault | null>>();

/**
 * Judges the assertion of a request (RFC 7523 section 3), and spends it if it is good: of any number
 * that come at once, in any number of processes, one is. null: nothing is wrong with it.
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
  const read = readAssertion(
    assertion,
    {
      clientId: client.id,
      issuer: issuerKnownTo(client, config().issuer),
      algs: client.strong ? strongAlgs : clientSigningAlgs,
    },
    now,
  );
  if ('fault' in read) return read.fault;
  const found = await keysOf(client, read.kid, request, now);
  if ('fault' in found) return found.fault;
  const fault = await signatureFault(read, found.keys);
  if (fault) return fault;
  return (await spendOnce(read.once, read.keepUntil)) === 'spent-now' ? null : usedFault();
}
