import { openProviderSecret } from '../identity/upstream/secret.ts';
import { providerActs } from '../management/provider/acts.ts';
import { usualProvider } from '../management/provider/fields.ts';
import { findGroup } from '../store/groups.ts';
import { listProviders, type Provider } from '../store/providers.ts';
import type { Run } from './run.ts';
import type { FileProvider } from './schema.ts';
import { sourceText } from './secrets.ts';

const pathOf = (slug: string) => ['providers', slug];

export async function applyProviders(run: Run): Promise<void> {
  const known = new Map((await listProviders()).map((provider) => [provider.slug, provider]));
  for (const [at, [slug, said]] of Object.entries(run.content.providers ?? {}).entries()) {
    const before = known.get(slug) ?? null;
    const id = await settle(run, { slug, said, at, before });
    const path = pathOf(slug);
    if (id) await run.keep({ kind: 'provider', key: id }, path, slug, before !== null);
  }
}

type Wanted = { slug: string; said: FileProvider; at: number; before: Provider | null };

/** @returns its id once it matches the file; undefined if that was refused */
async function settle(run: Run, wanted: Wanted): Promise<string | undefined> {
  const { slug, at, before } = wanted;
  const { kind, secret: _source, groups = {}, ...said } = wanted.said;
  const path = pathOf(slug);
  if (before && before.kind !== kind) {
    const kept = `takes ${before.kind}: the kind of a provider never changes. Give the other one another name.`;
    run.fault([...path, 'kind'], kept);
    return undefined;
  }
  const plain = { ...usualProvider(kind, at), ...said, groups: await groupsOf(run, slug, groups) };
  const secret = await secretOf(run, wanted, plain.issuer);
  if (secret === undefined) return undefined;
  const fields = { ...plain, ...secret };
  const terms = { path, placeOf: (field: string) => (field === 'slug' ? [] : [field]) };
  const loosens = run.loosening('provider', slug);
  const done = before
    ? await run.perform(providerActs.update, { id: before.id, ...fields }, { ...terms, loosens })
    : await run.perform(providerActs.create, { kind, slug, ...fields }, terms);
  return done?.id;
}

async function groupsOf(
  run: Run,
  slug: string,
  said: Readonly<Record<string, string | string[]>>,
): Promise<{ value: string; group_id: string }[]> {
  const mapped: { value: string; group_id: string }[] = [];
  for (const [value, names] of Object.entries(said))
    for (const name of [names].flat()) {
      const group = await findGroup(name);
      if (group && group !== 'several') mapped.push({ value, group_id: group.id });
      else
        run.fault([...pathOf(slug), 'groups', value], `There is no group "${name.slice(0, 80)}".`);
    }
  return mapped;
}

/**
 * The change of its secret; undefined if that was refused. A provider that already has a secret
 * keeps it if the source is missing here, because an export contains no secrets.
 */
async function secretOf(
  run: Run,
  { slug, said, before }: Wanted,
  issuer: string,
): Promise<{ secret?: string } | undefined> {
  if (said.secret === undefined) return {};
  const [name, text] = sourceText(run, said.secret);
  const has = before !== null && before.sealedSecret !== null;
  if (text === null && has) {
    run.notes.push(`The secret of the provider ${slug} stays as it is: ${name} is not set here.`);
    return {};
  }
  if (text === null) {
    run.fault([...pathOf(slug), 'secret'], `needs ${name}, which is not set or not there.`);
    return undefined;
  }
  const opened = before && (await openProviderSecret(before));
  const isSame = opened !== null && opened !== 'lost' && opened.secret === text.trim();
  return isSame && before?.issuer === issuer ? {} : { secret: text };
}

/** Removes providers that the file kept and no longer names. */
export async function dropProviders(run: Run): Promise<void> {
  const known = new Map((await listProviders()).map((provider) => [provider.id, provider]));
  const said = run.content.providers ?? {};
  for (const id of run.dropped('provider')) {
    const provider = known.get(id);
    if (provider && Object.hasOwn(said, provider.slug)) continue;
    if (provider)
      await run.perform(
        providerActs.delete,
        { id },
        { path: pathOf(provider.slug), placeOf: () => [] },
      );
    await run.letGoOf({ kind: 'provider', key: id });
  }
}
