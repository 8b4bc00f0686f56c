import type { Actor } from '../store/actor.ts';
import { storeAll } from '../store/settings.ts';
import { type BrandChange, brandingChanges, brandingFaults } from './branding/branding.ts';
import { refuseConflict, refuseFaults } from './refusal.ts';
import { type SettingEdit, settingChanges, settingFaults } from './setting/settings.ts';

/** The wanted branding, and the version that was edited. */
type LookEdit = { look: BrandChange; seen: string };

/**
 * Changes branding and settings in one transaction, all or nothing. Returns whether anything
 * changed.
 * @throws AdminRefusal
 */
export async function changeServer(
  { look, seen }: LookEdit,
  edits: readonly SettingEdit[],
  actor: Actor,
  now: Date,
): Promise<boolean> {
  refuseFaults({ ...brandingFaults(look), ...settingFaults(edits) });
  const changes = [
    ...(await brandingChanges(look, seen, actor)),
    ...(await settingChanges(edits, actor)),
  ];
  if (changes.length > 0 && (await storeAll(changes, now)) === 'changed-meanwhile')
    refuseConflict('page');
  return changes.length > 0;
}
