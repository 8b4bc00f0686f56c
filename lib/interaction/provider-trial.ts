import { z } from 'zod';
import type { HttpRequest, PageRequest } from '../http/message.ts';
import type { OwnAddress, ProviderAddress } from '../http/own-address.ts';
import { judgeAccess } from '../identity/guards.ts';
import { readSession } from '../identity/session.ts';
import { type Answer, addressAt } from '../identity/upstream/ask.ts';
import { newAsked } from '../identity/upstream/asked.ts';
import {
  type TrialReport,
  trialOutcomes,
  trialSteps,
  tryAnswer,
  tryDiscovery,
} from '../identity/upstream/trial.ts';
import { rules } from '../oauth/facts.ts';
import { sealed } from '../sealed/sealed.ts';
import type { Provider } from '../store/providers.ts';
import type { Session } from '../store/sessions.ts';

/*
 * Lets an admin try a provider: a real sign-in there, whose response arrives at the redirect URI
 * like any other, but is shown instead of acted on. It is a trial because this server sealed that
 * into its `state`, together with the admin's session.
 */

/** Seconds for which a report can be read. */
const life = 600;

const text = z.string();

/** What happened. Only the admin who tried can read it, in the same session and browser. */
export const sealedReport = sealed(
  'provider-trial',
  z.object({
    /** The id of the provider. */
    p: text,
    /** The hash of the session. */
    s: text,
    steps: z.array(
      z.object({
        step: z.enum(trialSteps),
        rule: z.enum(rules).nullable(),
        received: text.nullable(),
        expected: z.array(text),
        facts: z.array(z.tuple([text, text])),
      }),
    ),
    outcome: z.enum(trialOutcomes).nullable(),
    userId: text.nullable(),
  }),
  { max: 8000, bound: 'browser', life, clock: 't' },
);

export type ShownReport = NonNullable<Awaited<ReturnType<typeof sealedReport.open>>>;

/** The provider, or the report if the provider cannot be asked. */
export async function beginTrial(
  provider: Provider,
  session: Session,
  request: HttpRequest,
  now: Date,
): Promise<OwnAddress | ProviderAddress> {
  request.about.isTrial = true;
  const failed = await tryDiscovery(provider, now);
  if (failed) return reportAt({ provider, session }, failed, request, now);
  const what = { p: provider.id, k: 'try', f: '', w: '', s: session.hash, g: false } as const;
  const { asked, state } = await newAsked(what, undefined, request, now);
  return addressAt(provider, asked, state, now);
}

/** Null unless the admin who began the trial brings the response, in the same session. */
export async function answerTrial(
  answer: Answer,
  request: HttpRequest,
  now: Date,
): Promise<OwnAddress | null> {
  request.about.isTrial = true;
  const access = judgeAccess((await readSession(request, now)).session, 'admin', now);
  if (!('session' in access) || access.session.hash !== answer.asked.s) return null;
  const report = await tryAnswer(answer, now);
  return reportAt({ ...answer, session: access.session }, report, request, now);
}

/** The maximum number of bytes of a report before sealing, so that it fits into an address. */
const mostBytes = 4500;

/** A provider, and the session in which an admin tries it. */
type Tried = { provider: Pick<Provider, 'id'>; session: Session };

async function reportAt(
  { provider, session }: Tried,
  report: TrialReport,
  request: PageRequest,
  now: Date,
): Promise<OwnAddress> {
  const shown = { p: provider.id, s: session.hash, ...fitting(report) };
  const sealed = await sealedReport.seal(shown, request, now);
  return `${trialPage(provider.id)}?report=${sealed}`;
}

export const trialPage = (providerId: string) =>
  `/admin/providers/${encodeURIComponent(providerId)}/try` as const;

/** A report with as many facts as fit; the longest lists are cut. */
function fitting(report: TrialReport): TrialReport {
  const steps = report.steps.map((step) => ({ ...step, facts: [...step.facts] }));
  const size = () => Buffer.byteLength(JSON.stringify(steps));
  while (size() > mostBytes) {
    const [longest] = steps.toSorted((one, other) => bytesOf(other.facts) - bytesOf(one.facts));
    if (!longest || longest.facts.length === 0) break;
    longest.facts.pop();
  }
  return { ...report, steps };
}

const bytesOf = (facts: TrialReport['steps'][number]['facts']) =>
  Buffer.byteLength(JSON.stringify(facts));

/** Null unless this admin tried this provider in this session within its lifetime. */
export async function openReport(
  sealedText: string | undefined,
  { provider, session }: Tried,
  request: PageRequest,
  now: Date,
): Promise<ShownReport | null> {
  const report = await sealedReport.open(sealedText, request, now);
  return report?.p === provider.id && report.s === session.hash ? report : null;
}
