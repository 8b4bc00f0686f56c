import { redirect } from 'next/navigation';
import { requirePermission } from '../../guards.ts';
import { settingsAt } from '../settings/tabs.ts';

/** The address that this page had before it stood among the settings. */
export default async function BrandingPage() {
  await requirePermission('see-everything');
  redirect(settingsAt('look'));
}
