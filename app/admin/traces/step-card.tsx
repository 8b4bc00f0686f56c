import type { ReactNode } from 'react';
import type { Mend, TraceStep } from '#lib/management/traces.ts';
import { traceWords as words } from '#lib/messages/admin/traces.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { stripBidi, UserText } from '../../ui/user-text.tsx';
import { ActionForm } from '../ui/forms/action-form.tsx';
import { Submit } from '../ui/forms/submit.tsx';
import { Moment } from '../ui/moment.tsx';
import { mendAttempt } from './actions.ts';
import { differenceFrom } from './difference.ts';
import { Result } from './trace-table.tsx';

/** One request of an attempt; a refused one with what came beside what was expected. */
export function StepCard({
  traceId,
  step,
  mend,
}: {
  traceId: string;
  step: TraceStep;
  mend: Mend | null;
}) {
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
      {rule && (
        <p>
          <strong>{rule.what}.</strong> {rule.todo}
        </p>
      )}
      {step.outcome === 'refused' && <Facts step={step} />}
      {mend && <MendForm traceId={traceId} step={step} mend={mend} />}
      <p className="text-sm text-ink-soft">
        {words.requestLabel} <code className="wrap-anywhere">{step.requestId}</code>
      </p>
    </li>
  );
}

function Facts({ step: { received, expected, reason } }: { step: TraceStep }) {
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

/** The one-click change, after saying what it means. */
function MendForm({ traceId, step, mend }: { traceId: string; step: TraceStep; mend: Mend }) {
  const { button, confirm } = words.mend[mend.kind];
  return (
    <ActionForm action={mendAttempt} className="grid gap-3">
      <Hidden fields={{ trace: traceId, request: step.requestId }} />
      <Confirm label={button} text={words.mendText[mend.kind](stripBidi(mend.value))}>
        <Submit size="small">{confirm}</Submit>
      </Confirm>
    </ActionForm>
  );
}
