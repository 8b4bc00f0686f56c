import type { ReactNode } from 'react';
import type { TraceStep } from '#lib/management/attempt/traces.ts';
import type { Rule } from '#lib/oauth/facts.ts';
import { pageText } from '../../locale.ts';
import { UserText } from '../user-text.tsx';
import { differenceFrom } from './difference.ts';
import { todoOf } from './rules.ts';

/** What a rule refused, and what to do about it. */
export async function RuleText({ rule }: { rule: Rule }) {
  const text = await pageText();
  return (
    <p>
      <strong>{text(`attempts.rules.${rule}.what`)}.</strong> {todoOf(text, rule)}
    </p>
  );
}

type ShownFacts = Pick<TraceStep, 'received' | 'reason'> & { expected: readonly string[] };

/** What was received next to what was expected, and the reason in words. */
export async function Facts({ step: { received, expected, reason } }: { step: ShownFacts }) {
  const text = await pageText();
  const shown =
    received === null || expected.length > 20 ? null : differenceFrom(received, expected);
  return (
    <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[auto_minmax(0,1fr)]">
      {(received !== null || expected.length > 0) && (
        <Fact label={text('attempts.received')}>
          {received === null ? (
            <span className="text-ink-soft">{text('attempts.nothing')}</span>
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
        <Fact label={text('attempts.expected')}>
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
      {reason !== null && <Fact label={text('attempts.reasonLabel')}>{reason}</Fact>}
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
