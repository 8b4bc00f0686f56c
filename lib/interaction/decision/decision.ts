import type { Approval } from '../../access/passage.ts';
import type { OwnAddress } from '../../http/own-address.ts';
import type { Api } from '../../oauth/api.ts';
import type { Client } from '../../oauth/client.ts';
import { asksForHowLong } from '../../oauth/consent-period.ts';
import type { Session } from '../../store/sessions.ts';
import type { RequestContext } from '../context.ts';
import type { Elsewhere } from '../page.ts';
import { continueAt, judgeVisit, type Resumed, sessionFor } from '../resume.ts';
import { approvalFlashKey, consentFlashKey } from '../return-to.ts';

/**
 * What a user is asked: whether an app, or an app on a device, gets access to something of theirs,
 * or whether they want to ask the admins to approve it.
 */
export type Decision = {
  kind: 'consent' | 'device' | 'approval';
  /** The id of the pending request or of the device. */
  id: string;
  client: Client;
  session: Session;
  visit: RequestContext;
  /** Where the response goes; '' for a device, which has no address. */
  destination: string;
  /** What the app gets, as words of a grant, and the APIs at which it gets it. */
  words: string[];
  apis: readonly Api[];
  /** The page that asks, and the key of its flash messages. */
  page: OwnAddress;
  flash: string;
};

/** A decision that a pending request waits for. */
export type RequestDecision = Decision & { sealed: string; resumed: Resumed };

/** The decision on the consent page; or where the user goes instead. */
export async function consentAsked(
  resumed: Resumed,
  sealed: string,
  now: Date,
): Promise<RequestDecision | Elsewhere> {
  const session = await sessionFor(resumed, sealed, now);
  if ('elsewhere' in session) return session;
  const { consentScope: words, resources } = resumed.checked.request;
  const at = { page: `/consent?flow=${sealed}`, flash: consentFlashKey(resumed.flow.id) } as const;
  const { apis } = resources;
  return { kind: 'consent', ...ofRequest(resumed), sealed, session, words, apis, ...at };
}

type ApprovalDecision = RequestDecision & { approval: Exclude<Approval, 'given'> };

/**
 * Whether to ask the admins for approval; or where the user goes instead: if the app has been
 * approved, they continue.
 */
export async function approvalAsked(
  resumed: Resumed,
  sealed: string,
  now: Date,
): Promise<ApprovalDecision | Elsewhere> {
  const { session } = resumed.visit;
  const verdict = await judgeVisit(resumed, now);
  if (!session || verdict.page !== 'approval') return { elsewhere: continueAt(sealed) };
  const { approval } = verdict;
  const at = {
    page: `/approval?flow=${sealed}`,
    flash: approvalFlashKey(resumed.flow.id),
  } as const;
  const nothing = { words: [], apis: [] };
  return { kind: 'approval', ...ofRequest(resumed), sealed, session, ...nothing, ...at, approval };
}

function ofRequest(resumed: Resumed) {
  const { flow, visit, checked } = resumed;
  const { client, target } = checked;
  return { resumed, id: flow.id, visit, client, destination: target.uri };
}

export const asksPeriod = ({ kind, client }: Pick<Decision, 'kind' | 'client'>): boolean =>
  kind === 'consent' && asksForHowLong(client);
