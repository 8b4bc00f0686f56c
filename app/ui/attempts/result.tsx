import type { TraceRecord } from '#lib/management/attempt/traces.ts';
import type { Text } from '#lib/messages/text.ts';
import { Badge } from '../badge.tsx';

/** The state of an attempt, as a badge. */
export function Result({
  trace,
  text,
}: {
  trace: Pick<TraceRecord, 'outcome' | 'failed'>;
  text: Text;
}) {
  const bad = trace.outcome === 'refused' || trace.outcome === 'failed';
  const tone = bad ? 'danger' : trace.outcome === 'done' ? 'accent' : 'neutral';
  return (
    <>
      <Badge tone={tone}>{text(`attempts.outcomes.${trace.outcome}`)}</Badge>
      {trace.failed && !bad && <Badge tone="warning">{text('attempts.later')}</Badge>}
    </>
  );
}
