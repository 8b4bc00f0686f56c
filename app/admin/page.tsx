import { redirect } from 'next/navigation';
import { requireAdmin } from '../guards.ts';

export default async function AdminPage() {
  await requireAdmin();
  redirect('/admin/clients');
}
