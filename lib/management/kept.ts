import { sentence } from '../messages/sentence.ts';
import type { SettingKey } from '../settings/table.ts';
import { settingTable } from '../settings/table.ts';
import { type Actor, fileActor } from '../store/actor.ts';
import { type Owned, type OwnedKind, readFileOwned } from '../store/file-owned.ts';
import { refuseAdmin, refuseFaults } from './refusal.ts';

/*
 * Only the configuration file changes what it keeps. What the file can't say remains open to
 * people: new secrets, whether an app is disabled, its picture (if the file names one, the next
 * apply restores it) and its developers, the members of a group, what people have in a field, and
 * everything that ends a sign-in.
 */

export async function isKept(kind: OwnedKind, key: string): Promise<boolean> {
  return (await readFileOwned()).has(kind, key);
}

/** The keys of everything of a kind that the configuration file keeps. */
export async function keptOf(kind: OwnedKind): Promise<ReadonlySet<string>> {
  return new Set((await readFileOwned()).of(kind));
}

const keptInFile = (kind: OwnedKind) => sentence(`kept.refused.${kind}`);

/** @throws AdminRefusal if the configuration file keeps this, and the actor is not the file */
export async function checkNotKept({ kind, key }: Owned, actor: Actor): Promise<void> {
  if (actor.id !== fileActor.id && (await isKept(kind, key))) refuseAdmin(null, keptInFile(kind));
}

/**
 * Adding a field to a scope makes it tell apps more.
 * @throws AdminRefusal at `scope` if the file keeps it
 */
export async function checkScopeTellsNoMore(scope: string, actor: Actor): Promise<void> {
  if (actor.id !== fileActor.id && (await isKept('scope', scope)))
    refuseAdmin('scope', keptInFile('scope'));
}

/** The same for several settings. @throws AdminRefusal at each that the file keeps */
export async function checkSettingsNotKept(
  keys: readonly SettingKey[],
  actor: Actor,
): Promise<void> {
  if (actor.id === fileActor.id) return;
  const kept = await readFileOwned();
  const wrong = keys.filter((key) => kept.has('setting', settingTable[key].name));
  refuseFaults(Object.fromEntries(wrong.map((key) => [key, keptInFile('setting')])));
}
