import { redirect } from 'next/navigation';
import { requireAdmin } from '../../guards.ts';
import { setUpAt } from './steps.ts';

/** Leads to the first step after the account was created. */
export default async function SetUpPage() {
  await requireAdmin();
  redirect(setUpAt('you'));
}
