import type { TraceRecord } from '#lib/management/attempt/traces.ts';
import { traceWords as words } from '#lib/messages/admin/traces.ts';
import { Badge } from '../badge.tsx';

/** How an attempt stands, as a badge. */
export function Result({ trace }: { trace: Pick<TraceRecord, 'outcome' | 'failed'> }) {
  const bad = trace.outcome === 'refused' || trace.outcome === 'failed';
  const tone = bad ? 'danger' : trace.outcome === 'done' ? 'accent' : 'neutral';
  return (
    <>
      <Badge tone={tone}>{words.outcomes[trace.outcome]}</Badge>
      {trace.failed && !bad && <Badge tone="warning">{words.later}</Badge>}
    </>
  );
}
