import type { ReactNode } from 'react';
import type { TraceStep } from '#lib/management/attempt/traces.ts';
import { pageText } from '../../locale.ts';
import { Badge } from '../badge.tsx';
import { Moment } from '../moment.tsx';
import { Facts, RuleText } from './facts.tsx';

/** One request of an attempt. A refused one shows what was received next to what was expected. */
export async function StepCard({ step, children }: { step: TraceStep; children?: ReactNode }) {
  const text = await pageText();
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-2xl border border-line bg-surface p-4 sm:p-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h3 className="flex flex-wrap items-center gap-2 font-semibold">
          {text(`attempts.steps.${step.step}`)}
          <Badge tone={toneOf(step)}>{text(`attempts.outcomes.${step.outcome}`)}</Badge>
          {step.times > 1 && (
            <span className="text-sm font-normal text-ink-soft">
              {text('attempts.times', { count: step.times })}
            </span>
          )}
        </h3>
        <span className="text-sm text-ink-soft">
          <Moment locale={text.locale} at={step.at} />
        </span>
      </div>
      {step.rule && step.rule !== 'other' && <RuleText rule={step.rule} />}
      {(step.outcome === 'refused' || step.rule) && <Facts step={withoutRepetition(step)} />}
      {step.notes.map((note) => (
        <Note key={note.rule} note={note} />
      ))}
      {children}
      <p className="text-sm text-ink-soft">
        {text('attempts.sentBy')}: {text(`attempts.behind.${step.behind}`)} ·{' '}
        {text('attempts.requestLabel')} <code className="wrap-anywhere">{step.requestId}</code>
      </p>
    </li>
  );
}

function toneOf({ outcome }: TraceStep) {
  if (outcome === 'refused' || outcome === 'failed') return 'danger';
  return outcome === 'done' ? 'accent' : 'neutral';
}

/** The rule already has an explanation, and the reason sent to the app would only repeat it. */
const withoutRepetition = (step: TraceStep) =>
  step.rule === null || step.rule === 'other' ? step : { ...step, reason: null };

/** Something else worth knowing about a request. */
function Note({ note }: { note: TraceStep['notes'][number] }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <RuleText rule={note.rule} />
      <Facts step={{ ...note, reason: null }} />
    </div>
  );
}
