import { decoded } from '#lib/http/decoded.ts';
import { spokenBy } from '#lib/management/client/client-kinds.ts';
import { showClient } from '#lib/management/client/clients.ts';
import { recipeOf } from '#lib/recipes/origin.ts';
import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { orNotFound } from '../../../or-not-found.ts';
import { readParams, type SearchParams } from '../../../params.ts';
import { Card } from '../../../ui/card.tsx';
import { AddressesCard } from '../../../ui/connect/addresses-card.tsx';
import { CredentialsCard } from '../../../ui/connect/credentials-card.tsx';
import { GuideSection } from '../../../ui/connect/guide-section.tsx';
import { LdapCard } from '../../../ui/connect/ldap-card.tsx';
import { pageZone } from '../../../zone.ts';
import { clientPage } from '../../addresses.ts';
import { AttemptsCard } from '../../traces/listening/attempts-card.tsx';
import { readHeard } from '../../traces/listening/heard.ts';
import { newsId } from '../../traces/listening/listeners.ts';
import { QuickButton } from '../../ui/quick-link.tsx';
import { AppPage } from './app-page.tsx';
import { CheckForm } from './connect/check-form.tsx';
import { ProxyCard } from './connect/proxy-card.tsx';
import { SitesCard } from './connect/sites-card.tsx';

type Props = { params: Promise<{ clientId: string }>; searchParams: SearchParams };

/** How to connect an app: its identifiers, the server's addresses, and what to paste where. */
export default async function ConnectPage({ params, searchParams }: Props) {
  await guardPage('/admin/clients/[clientId]');
  const text = await pageText();
  const client = await orNotFound(showClient(decoded((await params).clientId)));
  const query = await readParams(searchParams);
  const heard = await readHeard(text, client.id);
  const attempts = (
    <AttemptsCard
      clientId={client.id}
      heard={heard}
      known={newsId(heard)}
      keepsPage={query.keeps !== undefined}
      zone={await pageZone()}
    />
  );
  const settings = clientPage(client.id, 'settings');
  const speaks = spokenBy(client);
  const hasGuide = speaks === 'oauth' || recipeOf(client.recipe) !== null;
  return (
    <AppPage client={client} tab="connect">
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-2">
        <div className={column}>
          {speaks === 'oauth' && <CredentialsCard client={client} settings={settings} />}
          {speaks === 'proxy' && <ProxyCard client={client} query={query} />}
          {speaks === 'ldap' && <LdapCard client={client} settings={settings} />}
          {speaks === 'oauth' && client.grants.includes('authorization_code') && (
            <TryCard clientId={client.id} />
          )}
          {speaks === 'oauth' && attempts}
        </div>
        <div className={column}>
          {speaks === 'proxy' && (
            <Card id="check" title={text('guard.check')} text={text('guard.checkText')}>
              <CheckForm clientId={client.id} />
            </Card>
          )}
          {speaks !== 'oauth' && attempts}
          {speaks === 'proxy' && <SitesCard client={client} />}
          {speaks !== 'ldap' && client.ldap && <LdapCard client={client} settings={settings} />}
          {speaks === 'oauth' && <AddressesCard />}
        </div>
      </div>
      {hasGuide && (
        <GuideSection
          client={client}
          query={query}
          page={clientPage(client.id)}
          settings={settings}
        />
      )}
    </AppPage>
  );
}

const column = 'grid grid-cols-[minmax(0,1fr)] gap-6';

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
