import { randomUUID } from 'node:crypto';
import { recordTrace, type TracedRequest, writeTraces } from '../store/traces.ts';

/** An attempt that succeeds, or that the person denies. */
type Way = {
  /** The id of its authorization. */
  attempt: string;
  clientId: string;
  userId: string;
  /** The person's answer on the consent page, if they were asked. */
  said?: 'done' | 'denied';
};
type Step = Pick<TracedRequest, 'step' | 'outcome' | 'behind'> & { seconds: number };

const allowing: readonly Step[] = [
  { step: 'token', outcome: 'done', behind: 'app', seconds: 1 },
  { step: 'userinfo', outcome: 'done', behind: 'app', seconds: 2 },
];

/** Records the trace of an attempt: from the app through consent to its tokens. */
export async function traceWay({ said, ...way }: Way, at: Date): Promise<void> {
  const asked = said !== undefined;
  const steps: Step[] = [
    {
      step: 'authorize',
      outcome: asked ? 'consent' : 'done',
      behind: 'person',
      seconds: asked ? -12 : 0,
    },
    ...(said ? [{ step: 'consent', outcome: said, behind: 'person', seconds: 0 } as const] : []),
    ...(said === 'denied' ? [] : allowing),
  ];
  for (const { seconds, ...step } of steps)
    recordTrace(
      { ...way, ...step, requestId: randomUUID(), refusal: null },
      new Date(at.getTime() + seconds * 1000),
    );
  // Written immediately: if many traces waited, some would be dropped.
  await writeTraces();
}
