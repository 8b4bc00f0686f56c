import { guardPage } from '../../guards.ts';
import { readParams, type SearchParams } from '../../params.ts';
import { readClients } from './screen.ts';
import { ClientsView } from './view.tsx';

export default async function ClientsPage({ searchParams }: { searchParams: SearchParams }) {
  await guardPage('/admin/clients');
  const query = await readParams(searchParams);
  return <ClientsView query={query} clients={await readClients(query, new Date())} />;
}
