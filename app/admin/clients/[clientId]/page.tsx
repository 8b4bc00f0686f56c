import { decoded } from '#lib/http/decoded.ts';
import { showClient } from '#lib/management/client/clients.ts';
import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { orNotFound } from '../../../or-not-found.ts';
import { readParams, type SearchParams } from '../../../params.ts';
import { Card } from '../../../ui/card.tsx';
import { AddressesCard } from '../../../ui/connect/addresses-card.tsx';
import { CredentialsCard } from '../../../ui/connect/credentials-card.tsx';
import { GuideSection } from '../../../ui/connect/guide-section.tsx';
import { pageZone } from '../../../zone.ts';
import { clientPage } from '../../addresses.ts';
import { AttemptsCard } from '../../traces/listening/attempts-card.tsx';
import { readHeard } from '../../traces/listening/heard.ts';
import { newsId } from '../../traces/listening/listeners.ts';
import { QuickButton } from '../../ui/quick-link.tsx';
import { AppPage } from './app-page.tsx';
import { GuardSection } from './connect/guard-section.tsx';

type Props = { params: Promise<{ clientId: string }>; searchParams: SearchParams };

/** How to connect an app: its identifiers, the server's addresses, and what to paste where. */
export default async function ConnectPage({ params, searchParams }: Props) {
  await guardPage('/admin/clients/[clientId]');
  const text = await pageText();
  const client = await orNotFound(showClient(decoded((await params).clientId)));
  const query = await readParams(searchParams);
  const heard = await readHeard(text, client.id);
  return (
    <AppPage client={client} tab="connect">
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-2">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <CredentialsCard client={client} settings={clientPage(client.id, 'settings')} />
          {client.grants.includes('authorization_code') && <TryCard clientId={client.id} />}
          <AttemptsCard
            clientId={client.id}
            heard={heard}
            known={newsId(heard)}
            keepsPage={query.keeps !== undefined}
            zone={await pageZone()}
          />
        </div>
        <AddressesCard />
      </div>
      {client.guardedSites.length > 0 && <GuardSection client={client} proxy={query.proxy ?? ''} />}
      <GuideSection
        client={client}
        query={query}
        page={clientPage(client.id)}
        settings={clientPage(client.id, 'settings')}
      />
    </AppPage>
  );
}

/** Links to trying a sign-in, or previewing claims, without the app. */
async function TryCard({ clientId }: { clientId: string }) {
  const text = await pageText();
  return (
    <Card id="try" title={text('trial.open')} text={text('trial.openText')}>
      <div className="flex flex-wrap gap-3">
        <QuickButton kind="secondary" href={clientPage(clientId, 'try')}>
          {text('trial.title')}
        </QuickButton>
        <QuickButton kind="secondary" href={clientPage(clientId, 'preview')}>
          {text('preview.title')}
        </QuickButton>
      </div>
    </Card>
  );
}
