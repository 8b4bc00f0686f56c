import type { ReactNode } from 'react';
import type { TraceStep } from '#lib/management/attempt/traces.ts';
import { traceWords as words } from '#lib/messages/admin/traces.ts';
import { Moment } from '../moment.tsx';
import { UserText } from '../user-text.tsx';
import { differenceFrom } from './difference.ts';
import { Result } from './result.tsx';

/** One request of an attempt; a refused one with what came beside what was expected. */
export function StepCard({ step, children }: { step: TraceStep; children?: ReactNode }) {
  const rule = step.rule && words.rules[step.rule];
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-2xl border border-line bg-surface p-4 sm:p-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 className="flex flex-wrap items-center gap-2 font-semibold">
          {words.steps[step.step]}
          <Result trace={{ outcome: step.outcome, failed: false }} />
          {step.times > 1 && (
            <span className="text-sm font-normal text-ink-soft">{words.times(step.times)}</span>
          )}
        </h2>
        <span className="text-sm text-ink-soft">
          <Moment at={step.at} />
        </span>
      </div>
      {rule && step.rule !== 'other' && (
        <p>
          <strong>{rule.what}.</strong> {rule.todo}
        </p>
      )}
      {(step.outcome === 'refused' || step.rule) && <Facts step={withoutRepetition(step)} />}
      {step.notes.map((note) => (
        <Note key={note.rule} note={note} />
      ))}
      {children}
      <p className="text-sm text-ink-soft">
        {words.sentBy}: {words.behind[step.behind]} · {words.requestLabel}{' '}
        <code className="wrap-anywhere">{step.requestId}</code>
      </p>
    </li>
  );
}

/** A rule has its words; what the app was told would say the same again. */
const withoutRepetition = (step: TraceStep) =>
  step.rule === null || step.rule === 'other' ? step : { ...step, reason: null };

/** What else is worth knowing of a request. */
function Note({ note }: { note: TraceStep['notes'][number] }) {
  const { what, todo } = words.rules[note.rule];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <p>
        <strong>{what}.</strong> {todo}
      </p>
      <Facts step={{ ...note, reason: null }} />
    </div>
  );
}

type ShownFacts = Pick<TraceStep, 'received' | 'reason'> & { expected: readonly string[] };

function Facts({ step: { received, expected, reason } }: { step: ShownFacts }) {
  const shown =
    received === null || expected.length > 20 ? null : differenceFrom(received, expected);
  return (
    <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[auto_minmax(0,1fr)]">
      {(received !== null || expected.length > 0) && (
        <Fact label={words.received}>
          {received === null ? (
            <span className="text-ink-soft">{words.nothing}</span>
          ) : shown && expected.length > 0 && shown.before + shown.after !== '' ? (
            <code className="wrap-anywhere">
              <UserText text={shown.before} />
              <mark className="rounded-sm bg-danger-tint text-danger underline">
                <UserText text={shown.differing || '␣'} />
              </mark>
              <UserText text={shown.after} />
            </code>
          ) : (
            <code className="wrap-anywhere">
              <UserText text={received} />
            </code>
          )}
        </Fact>
      )}
      {expected.length > 0 && (
        <Fact label={words.expected}>
          <ul>
            {expected.map((text) => (
              <li key={text}>
                <code className="wrap-anywhere">
                  <UserText text={text} />
                </code>
              </li>
            ))}
          </ul>
        </Fact>
      )}
      {reason !== null && <Fact label={words.reasonLabel}>{reason}</Fact>}
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="font-semibold text-ink-soft">{label}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}
