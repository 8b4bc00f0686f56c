import { termsActs } from '../management/terms/acts.ts';
import { findTerms } from '../store/terms.ts';
import type { Run } from './run.ts';

/** Makes the versions that are not here yet. One that is here never changes. */
export async function applyTerms(run: Run): Promise<void> {
  for (const [name, said] of Object.entries(run.content.terms ?? {})) {
    const path = ['terms', name];
    const before = await findTerms('name', name);
    const fields = { ...said, name, from: said.from?.toISOString() };
    const placeOf = (field: string) => field.split('.').filter((part) => part !== 'name');
    await run.perform(termsActs.create, fields, { path, placeOf });
    await run.keep({ kind: 'terms', key: name }, path, name, before !== null);
  }
}

/** Stops asking for versions that the file no longer names. */
export async function dropTerms(run: Run): Promise<void> {
  for (const name of run.dropped('terms')) {
    const found = await findTerms('name', name);
    if (found?.endedAt === null)
      await run.perform(termsActs.end, { name }, { path: ['terms', name], placeOf: () => [] });
    await run.letGoOf({ kind: 'terms', key: name });
  }
}
