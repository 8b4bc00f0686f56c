import type { ReactNode } from 'react';
import { breakOf, pathOf } from '#lib/management/attempt/path.ts';
import type { TraceStep } from '#lib/management/attempt/traces.ts';
import { pageText } from '../../locale.ts';
import { PathDrawing } from './path.tsx';
import { StepCard } from './step-card.tsx';

/** A request, and what its reader can do about it. */
type Shown = { step: TraceStep; action: ReactNode };

/** An attempt as a drawing, followed by the request at which it broke, then the others in order. */
export async function AttemptRequests({ requests }: { requests: readonly Shown[] }) {
  const text = await pageText();
  const steps = requests.map(({ step }) => step);
  const path = pathOf(steps);
  const brokenAt = breakOf(steps);
  const broken = requests.find(({ step }) => step === brokenAt);
  const others = requests.filter((request) => request !== broken);
  return (
    <>
      {path.length > 0 && (
        <section className="rounded-2xl border border-line bg-surface p-4 sm:p-5">
          <h2 className="sr-only">{text('attempts.path.title')}</h2>
          <PathDrawing path={path} text={text} />
        </section>
      )}
      {broken && <Requests requests={[broken]} />}
      {others.length > 0 && (
        <>
          <h2 className="mt-2 text-sm font-semibold text-ink-soft">
            {text(broken ? 'attempts.otherRequests' : 'attempts.requests')}
          </h2>
          <Requests requests={others} />
        </>
      )}
    </>
  );
}

function Requests({ requests }: { requests: readonly Shown[] }) {
  return (
    <ol className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {requests.map(({ step, action }) => (
        <StepCard key={`${step.requestId} ${step.step}`} step={step}>
          {action}
        </StepCard>
      ))}
    </ol>
  );
}
