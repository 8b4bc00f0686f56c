import { vi } from 'vitest';
import { findTraceOfRequest } from '#lib/store/trace-list.ts';

type Answered = { headers: Headers };

/**
 * The attempt that a request belongs to, and the request's step in it. Both are written within
 * seconds.
 */
export const attemptWith = (id: string) =>
  vi.waitFor(
    async () => {
      const trace = await findTraceOfRequest(id);
      const step = trace?.steps.find(({ requestId }) => requestId === id);
      if (!trace || !step) throw new Error('It is not written yet.');
      return { trace, step };
    },
    { timeout: 20_000 },
  );

/** The same for the request with this answer. */
export const attemptOf = ({ headers }: Answered) => attemptWith(headers.get('x-request-id') ?? '');
export const traceOf = async (answer: Answered) => (await attemptOf(answer)).trace;
export const stepOf = async (answer: Answered) => (await attemptOf(answer)).step;
