import { readClientNames } from '../store/client-list.ts';
import { inOneTransaction, write } from '../store/engine/database.ts';
import { raising } from '../store/engine/revision.ts';
import { loadFileOwned } from '../store/file-owned.ts';
import { readLogoHashes } from '../store/logos.ts';
import { applyApis, dropApis } from './apis.ts';
import { applyBranding } from './branding.ts';
import { applyClients, dropClients } from './clients.ts';
import { type Fault, FileRefused } from './faults.ts';
import { applyFields, dropFields } from './fields.ts';
import { applyGroups, dropGroups } from './groups.ts';
import { applyInvitations } from './invitations.ts';
import { readPictures } from './pictures.ts';
import { planOf } from './plan.ts';
import { isEmpty, type Plan } from './planned.ts';
import { applyProviders, dropProviders } from './providers.ts';
import type { Source } from './read.ts';
import { type NewLink, Run, type Surroundings } from './run.ts';
import { applyScopes, dropScopes } from './scopes.ts';
import { applySettings } from './settings.ts';
import { applyTerms, dropTerms } from './terms.ts';

/** Things that others refer to are made first and removed last. */
const steps = [
  dropApis,
  dropClients,
  dropProviders,
  dropFields,
  applySettings,
  applyScopes,
  applyGroups,
  applyProviders,
  applyClients,
  // After the clients: one of them may have just given up the claim name of a new field.
  applyFields,
  dropGroups,
  dropScopes,
  applyApis,
  applyBranding,
  applyTerms,
  dropTerms,
  applyInvitations,
];

/** What an apply did or would do, and whether it was kept. */
export type Applied = { plan: Plan; links: NewLink[]; done: boolean };

/**
 * Makes this server match the file, in one transaction: all of it or nothing. The changes are made
 * to find out what they are. `decide` then sees the plan, and says whether they are kept.
 * @throws FileRefused with everything that is wrong
 */
export async function applyFile(
  source: Source,
  around: Surroundings,
  decide: (plan: Plan) => boolean,
): Promise<Applied> {
  const pictures = await readPictures(source, await readLogoHashes());
  return inOneTransaction(async (told) => {
    // From here on, every other change of the configuration waits, by another apply or by hand.
    const { sql, params } = raising();
    await write(sql, params);
    const before = { kept: await loadFileOwned(), apps: await readClientNames(), pictures };
    const run = new Run(source, around, before);
    for (const step of steps) await step(run);
    const wrong = [...source.faults, ...withoutEchoes(run.faults, source)];
    if (wrong.length > 0) throw new FileRefused(source.file, inOrder(wrong));
    const plan = planOf(run, told());
    const done = !isEmpty(plan) && decide(plan);
    return { keep: done, value: { plan, links: done ? run.links : [], done } };
  });
}

const inOrder = (faults: readonly Fault[]) =>
  faults.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0));

/** Leaves out that something is missing which has a fault of its own: that one is reported. */
function withoutEchoes(faults: readonly Fault[], { leftOut }: Source): Fault[] {
  const wrong = new Set([...leftOut, ...faults.map(({ path }) => String(path[1] ?? ''))]);
  return faults.filter(({ path, sentence }) =>
    [...sentence.matchAll(/"([^"]+)"|“([^”]+)”/g)].every(
      ([, one, other]) => !wrong.has(one ?? other ?? '') || path[1] === (one ?? other),
    ),
  );
}
