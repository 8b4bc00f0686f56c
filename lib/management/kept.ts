import { sentence } from '../messages/sentence.ts';
import type { SettingKey } from '../settings/table.ts';
import { settingTable } from '../settings/table.ts';
import { type Actor, fileActor } from '../store/actor.ts';
import { type Owned, type OwnedKind, readFileOwned } from '../store/file-owned.ts';
import { refuseAdmin, refuseFaults } from './refusal.ts';

/*
 * What the configuration file keeps, only the file changes. What it does not say stays open to
 * people: new secrets, whether an app is disabled, its picture (the next apply puts one back that
 * the file names) and its developers, the members of a group, what people have in a field, and
 * whatever ends a sign-in.
 */

/** Whether the configuration file keeps this. */
export async function isKept(kind: OwnedKind, key: string): Promise<boolean> {
  return (await readFileOwned()).has(kind, key);
}

/** The keys of all that the configuration file keeps of a kind. */
export async function keptOf(kind: OwnedKind): Promise<ReadonlySet<string>> {
  return new Set((await readFileOwned()).of(kind));
}

/** Why a change is refused. */
const keptInFile = (kind: OwnedKind) => sentence(`kept.refused.${kind}`);

/** @throws AdminRefusal if the configuration file keeps this, and somebody else acts */
export async function checkNotKept({ kind, key }: Owned, actor: Actor): Promise<void> {
  if (actor.id !== fileActor.id && (await isKept(kind, key))) refuseAdmin(null, keptInFile(kind));
}

/** With a field of its own a scope tells apps more. @throws AdminRefusal at `scope` if it is kept */
export async function checkScopeTellsNoMore(scope: string, actor: Actor): Promise<void> {
  if (actor.id !== fileActor.id && (await isKept('scope', scope)))
    refuseAdmin('scope', keptInFile('scope'));
}

/** The same of several settings. @throws AdminRefusal at each that is kept */
export async function checkSettingsNotKept(
  keys: readonly SettingKey[],
  actor: Actor,
): Promise<void> {
  if (actor.id === fileActor.id) return;
  const kept = await readFileOwned();
  const wrong = keys.filter((key) => kept.has('setting', settingTable[key].name));
  refuseFaults(Object.fromEntries(wrong.map((key) => [key, keptInFile('setting')])));
}
