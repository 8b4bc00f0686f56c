import { redirect } from 'next/navigation';
import { requirePermission } from '../../guards.ts';
import { settingsAt } from './tabs.ts';

/** Leads to the first settings page. */
export default async function SettingsPage() {
  await requirePermission('see-everything');
  redirect(settingsAt('general'));
}
