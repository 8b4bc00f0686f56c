import { redirect } from 'next/navigation';
import { guardPage } from '../../guards.ts';
import { settingsAt } from './tabs.ts';

/** Leads to the first settings page. */
export default async function SettingsPage() {
  await guardPage('/admin/settings');
  redirect(settingsAt('general'));
}
