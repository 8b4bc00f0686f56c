import type { ShownReport } from '#lib/interaction/provider-trial.ts';
import { pageText } from '../../../../locale.ts';
import { Facts, RuleText } from '../../../../ui/attempts/facts.tsx';
import { Badge } from '../../../../ui/badge.tsx';
import { UserText } from '../../../../ui/user-text.tsx';

type Step = ShownReport['steps'][number];

/**
 * What happened, in order. The step that failed shows what was received next to what was expected.
 */
export async function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {steps.map((step, index) => (
        <StepItem key={step.step} step={step} number={index + 1} />
      ))}
    </ol>
  );
}

async function StepItem({ step, number }: { step: Step; number: number }) {
  const text = await pageText();
  const { rule, received, expected, facts } = step;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-2xl border border-line bg-surface p-4 sm:p-5">
      <h2 className="flex flex-wrap items-center gap-2 font-semibold">
        {number}. {text(`providers.try.steps.${step.step}`)}
        <Badge tone={rule === null ? 'accent' : 'danger'}>
          {text(rule === null ? 'providers.try.well' : 'providers.try.wrong')}
        </Badge>
      </h2>
      {rule !== null && (
        <>
          <RuleText rule={rule} />
          <Facts step={{ received, expected, reason: null }} />
        </>
      )}
      {facts.length > 0 && (
        <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[minmax(0,16rem)_minmax(0,1fr)]">
          {facts.map(([name, value]) => (
            <div className="contents" key={name}>
              <dt className="text-ink-soft wrap-anywhere">
                <code>
                  <UserText text={name} />
                </code>
              </dt>
              <dd className="min-w-0 wrap-anywhere">
                <code>
                  <UserText text={value} />
                </code>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}
