import { z } from 'zod';
import type { HttpRequest, PageRequest } from '../http/message.ts';
import type { OwnAddress, ProviderAddress } from '../http/own-address.ts';
import { judgeAccess } from '../identity/guards.ts';
import { readSession } from '../identity/session.ts';
import { addressAt } from '../identity/upstream/ask.ts';
import { type Asked, newAsked } from '../identity/upstream/asked.ts';
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
 * An admin tries a provider: a real sign-in there, whose answer comes to the redirect URI as any does,
 * and is shown instead of acted on. What makes it a trial is what this server sealed into its state,
 * with the session of the admin.
 */

/** Seconds for which a report can be read. */
const life = 600;

const text = z.string();

/** What happened, for the admin who tried, in the session and the browser in which they did. */
export const sealedReport = sealed(
  'provider-trial',
  z.object({
    /** Id of the provider. */
    p: text,
    /** The session. */
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

/** Where an admin's browser goes to try a provider: there, or to the report where it cannot be asked. */
export async function beginTrial(
  provider: Provider,
  session: Session,
  request: HttpRequest,
  now: Date,
): Promise<OwnAddress | ProviderAddress> {
  request.about.isTrial = true;
  const failed = await tryDiscovery(provider, now);
  if (failed) return reportAt(provider, session, failed, request, now);
  const what = { p: provider.id, k: 'try', f: '', w: '', s: session.hash, g: false } as const;
  const { asked, state } = await newAsked(what, undefined, request, now);
  return addressAt(provider, asked, state, now);
}

/**
 * Where the report of a trial's answer is; null: whoever brings it is not the admin who began, in the
 * session in which they did.
 */
export async function answerTrial(
  provider: Provider,
  asked: Asked,
  query: URLSearchParams,
  request: HttpRequest,
  now: Date,
): Promise<OwnAddress | null> {
  request.about.isTrial = true;
  const access = judgeAccess((await readSession(request, now)).session, 'admin', now);
  if (!('session' in access) || access.session.hash !== asked.s) return null;
  const report = await tryAnswer(provider, asked, query, now);
  return reportAt(provider, access.session, report, request, now);
}

/** Bytes of a report before it is sealed: with them it fits into an address. */
const mostBytes = 4500;

async function reportAt(
  provider: Provider,
  session: Session,
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

/** A report with as many facts as fit, the longest lists cut. */
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

/** The report behind a text, where this admin has tried this provider, in this session, lately. */
export async function openReport(
  sealedText: string | undefined,
  providerId: string,
  session: Session,
  request: PageRequest,
  now: Date,
): Promise<ShownReport | null> {
  const report = await sealedReport.open(sealedText, request, now);
  return report?.p === providerId && report.s === session.hash ? report : null;
}
