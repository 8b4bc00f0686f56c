'use server';

import type { Finding } from '#lib/doctor/finding.ts';
import { examineRunning } from '#lib/doctor/running.ts';
import { act } from '../act.ts';
import type { FormState } from '../ui/forms/state.ts';

/** The findings that need fixing or watching, and the number of things examined. */
export type Looked = { open: Finding[]; count: number };

/** Examines everything the server depends on. */
export async function examineServer(_: FormState<Looked>, form: FormData) {
  return act<Looked>('admin', form, async ({ now }) => {
    const { findings } = await examineRunning(now);
    const rank = ({ is }: Finding) => (is === 'trouble' ? 0 : 1);
    const open = findings
      .filter(({ is }) => is !== 'fine')
      .sort((one, other) => rank(one) - rank(other));
    return { serial: Date.now(), faults: {}, result: { open, count: findings.length } };
  });
}
