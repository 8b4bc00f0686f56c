import { kinds } from '../identity/upstream/provider-kinds.ts';
import { openProviderSecret } from '../identity/upstream/secret.ts';
import type { ProviderSaid } from '../management/provider/fields.ts';
import {
  createProvider,
  deleteProvider,
  updateProvider,
} from '../management/provider/providers.ts';
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
  const { slug, said, before } = wanted;
  const path = pathOf(slug);
  if (before && before.kind !== said.kind) {
    const kept = `takes ${before.kind}: the kind of a provider never changes. Give the other one another name.`;
    run.fault([...path, 'kind'], kept);
    return undefined;
  }
  const change = await changeOf(run, wanted);
  const secret = await secretOf(run, wanted, change.issuer ?? '');
  if (secret === undefined) return undefined;
  const full = { ...change, ...secret };
  const onLoosening = run.loosening('provider', slug);
  const placeOf = (field: string) => (field === 'slug' ? [] : [field]);
  if (!before)
    return run.attempt(
      path,
      () => createProvider({ ...full, kind: said.kind, slug }, run.actor, run.now()),
      placeOf,
    );
  const done = await run.attempt(
    path,
    async () => {
      await updateProvider(before.id, full, { actor: run.actor, now: run.now(), onLoosening });
      return before.id;
    },
    placeOf,
  );
  return done;
}

/** Everything that the file can say. What it leaves out is as in a new provider of its kind. */
async function changeOf(
  run: Run,
  { slug, said, at }: Wanted,
): Promise<Required<Omit<ProviderSaid, 'secret'>>> {
  return {
    name: said.name ?? kinds[said.kind].name,
    button_words: said.button_words ?? null,
    mark: said.mark ?? null,
    issuer: said.issuer ?? kinds[said.kind].issuer ?? '',
    client_id: said.client_id,
    apple_team_id: said.apple_team_id ?? null,
    apple_key_id: said.apple_key_id ?? null,
    scopes: said.scopes ?? [],
    position: said.position ?? at,
    enabled: said.enabled ?? true,
    may_sign_in: said.may_sign_in ?? true,
    may_register: said.may_register ?? false,
    domains: said.domains ?? [],
    groups_claim: said.groups_claim ?? null,
    groups: await groupsOf(run, slug, said.groups ?? {}),
    trusts_second_factor: said.trusts_second_factor ?? false,
    accepts_assertions: said.accepts_assertions ?? false,
    matches_addresses: said.matches_addresses ?? false,
  };
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
      await run.attempt(
        pathOf(provider.slug),
        () => deleteProvider(id, run.actor, run.now()),
        () => [],
      );
    await run.letGoOf({ kind: 'provider', key: id });
  }
}
