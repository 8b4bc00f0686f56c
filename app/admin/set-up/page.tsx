import { redirect } from 'next/navigation';
import { guardPage } from '../../guards.ts';
import { setUpAt } from './steps.ts';

/** Leads to the first step after the account was created. */
export default async function SetUpPage() {
  await guardPage('/admin/set-up');
  redirect(setUpAt('you'));
}
