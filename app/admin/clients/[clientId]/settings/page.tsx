import { decoded } from '#lib/http/decoded.ts';
import { countOfClient, showClient } from '#lib/management/client/clients.ts';
import { listContacts } from '#lib/management/client/contacts.ts';
import { isKept } from '#lib/management/kept.ts';
import { listScopes } from '#lib/management/scope/scopes.ts';
import { resolveSettings } from '#lib/settings/table.ts';
import { readSettings } from '#lib/store/settings.ts';
import { guardPage } from '../../../../guards.ts';
import { orNotFound } from '../../../../or-not-found.ts';
import { AppPage } from '../app-page.tsx';
import { SettingsView } from './view.tsx';

export default async function SettingsPage({ params }: { params: Promise<{ clientId: string }> }) {
  await guardPage('/admin/clients/[clientId]/settings');
  const client = await orNotFound(showClient(decoded((await params).clientId)));
  const settings = await readSettings();
  return (
    <AppPage client={client} tab="settings">
      <SettingsView
        client={client}
        owner={(await listContacts(client.id)).find(({ owner }) => owner)?.username ?? ''}
        scopes={await listScopes()}
        settings={settings}
        defaults={resolveSettings({ profile: settings.profile }, {})}
        kept={await isKept('client', client.id)}
        count={await countOfClient(client.id, new Date())}
      />
    </AppPage>
  );
}
