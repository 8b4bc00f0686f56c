import { type ClientRecord, countOfClient, showClient } from '#lib/management/clients.ts';
import { clientWords as words } from '#lib/messages/admin/clients.ts';
import { looseEndsOf } from '#lib/oauth/loose-ends.ts';
import { logoAt } from '#lib/store/logos.ts';
import { readSettings } from '#lib/store/settings.ts';
import { requireAdmin } from '../../../guards.ts';
import { orNotFound } from '../../../or-not-found.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { stripBidi, UserText } from '../../../ui/user-text.tsx';
import { AdminNotice } from '../../ui/admin-notice.tsx';
import { AdminPage } from '../../ui/admin-page.tsx';
import { QuickButton } from '../../ui/quick-link.tsx';
import { DangerCard } from './danger-card.tsx';
import { EventsCard } from './events-card.tsx';
import { FactsCard } from './facts-card.tsx';
import { LooseEndsCard } from './loose-ends-card.tsx';
import { PeopleCard } from './people-card.tsx';
import { SecretsCard } from './secrets-card.tsx';

export default async function ClientPage({ params }: { params: Promise<{ clientId: string }> }) {
  await requireAdmin();
  const client = await orNotFound(showClient((await params).clientId));
  const [count, settings] = [await countOfClient(client.id, new Date()), await readSettings()];
  return (
    <AdminPage
      title={stripBidi(client.name)}
      heading={<Heading client={client} />}
      text={client.description ? <UserText text={client.description} /> : undefined}
      up={{ href: '/admin/clients', label: words.title }}
      actions={
        <QuickButton href={`/admin/clients/${encodeURIComponent(client.id)}/edit`}>
          {words.edit}
        </QuickButton>
      }
    >
      {client.disabledAt && <AdminNotice kind="warning">{words.disabledNotice}</AdminNotice>}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <FactsCard client={client} count={count} />
          {client.type === 'confidential' && <SecretsCard client={client} />}
        </div>
        <LooseEndsCard clientId={client.id} ends={looseEndsOf(client, settings)} />
      </div>
      <PeopleCard client={client} />
      <EventsCard clientId={client.id} />
      <DangerCard client={client} count={count} />
    </AdminPage>
  );
}

function Heading({ client }: { client: ClientRecord }) {
  return (
    <span className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Avatar
        name={client.name}
        image={logoAt(client.id, client.logo)}
        shape="square"
        className="size-12 text-xl"
      />
      <UserText text={client.name} />
      <span className="flex flex-wrap gap-1.5 text-base tracking-normal">
        <Badge>{client.type === 'public' ? words.public : words.confidential}</Badge>
        {client.firstParty && <Badge tone="accent">{words.ours}</Badge>}
        {client.resourceServer && <Badge>{words.resourceServer}</Badge>}
        {client.disabledAt && <Badge tone="danger">{words.disabled}</Badge>}
      </span>
    </span>
  );
}
