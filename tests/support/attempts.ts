import { vi } from 'vitest';
import { prisma } from './prisma.ts';

/** The last refused step of a client's attempts, once it is stored. */
export const attemptOf = async ({ id }: { id: string }) =>
  vi.waitFor(
    async () => {
      const [step] = await (await prisma()).traceStep.findMany({
        where: { trace: { clientId: id }, rule: { not: null } },
        orderBy: { at: 'desc' },
      });
      if (!step) throw new Error('no attempt yet');
      return step;
    },
    { timeout: 20_000, interval: 100 },
  );
