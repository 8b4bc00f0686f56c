import { redirect } from 'next/navigation';
import { requireAdmin } from '../../guards.ts';
import { setUpAt } from './steps.ts';

/** Leads to the first step that is left once there is an account. */
export default async function SetUpPage() {
  await requireAdmin();
  redirect(setUpAt('you'));
}
