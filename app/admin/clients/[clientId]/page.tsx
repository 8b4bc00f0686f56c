import { showClient } from '#lib/management/clients.ts';
import { requireAdmin } from '../../../guards.ts';
import { orNotFound } from '../../../or-not-found.ts';
import { readParams, type SearchParams } from '../../ui/params.ts';
import { AddressesCard } from './addresses-card.tsx';
import { AppPage } from './app-page.tsx';
import { CredentialsCard } from './credentials-card.tsx';
import { GuideSection } from './guide-section.tsx';

type Props = { params: Promise<{ clientId: string }>; searchParams: SearchParams };

/** How an app is connected: its identifiers, the server's addresses, and what to paste where. */
export default async function ConnectPage({ params, searchParams }: Props) {
  await requireAdmin();
  const client = await orNotFound(showClient((await params).clientId));
  return (
    <AppPage client={client} tab="connect">
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-2">
        <CredentialsCard client={client} />
        <AddressesCard />
      </div>
      <GuideSection client={client} query={await readParams(searchParams)} />
    </AppPage>
  );
}
