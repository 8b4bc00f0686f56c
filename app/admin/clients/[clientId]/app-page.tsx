import type { ReactNode } from 'react';
import { config } from '#lib/config.ts';
import { spokenBy } from '#lib/management/client/client-kinds.ts';
import type { ClientRecord } from '#lib/management/client/clients.ts';
import { isKept } from '#lib/management/kept.ts';
import { readFailedLogout } from '#lib/management/overview.ts';
import { failedLogoutText } from '#lib/messages/failed-logout.ts';
import type { Text } from '#lib/messages/text.ts';
import { issuerKnownTo } from '#lib/oauth/old-issuer.ts';
import { hasRules } from '#lib/oauth/sign-in-rules.ts';
import { pictureOf } from '#lib/store/logos.ts';
import { pageText } from '../../../locale.ts';
import { AppMark } from '../../../ui/app-mark.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { stripBidi, UserText } from '../../../ui/user-text.tsx';
import { clientPage, clientTabs } from '../../addresses.ts';
import { AdminNotice } from '../../ui/admin-notice.tsx';
import { AdminPage } from '../../ui/admin-page.tsx';
import { hrefOf } from '../../ui/href.ts';
import { KeptBadge } from '../../ui/kept.tsx';
import { QuickLink } from '../../ui/quick-link.tsx';
import { Tabs } from '../../ui/tabs.tsx';

/** One of the four pages about an app. */
export async function AppPage({
  client,
  tab,
  children,
}: {
  client: ClientRecord;
  tab: (typeof clientTabs)[number];
  children: ReactNode;
}) {
  const text = await pageText();
  const kept = await isKept('client', client.id);
  const isEdited = tab === 'access' || tab === 'settings';
  return (
    <AdminPage
      title={text('app.title', { name: stripBidi(client.shownName), tab: text(`app.tabs.${tab}`) })}
      heading={<Heading client={client} kept={kept} />}
      text={client.description ? <UserText text={client.description} /> : undefined}
      up="/admin/clients"
      kept={kept && isEdited && 'client'}
    >
      <Tabs
        label={text('app.sections')}
        tabs={clientTabs.map((each) => ({
          href: clientPage(client.id, each),
          label: text(`app.tabs.${each}`),
          isOpen: each === tab,
        }))}
      >
        <li className="sm:ms-auto">
          <QuickLink
            href={hrefOf('/admin/approvals/matrix', { client: client.id })}
            className="gh-link block px-3 py-2.5 text-sm"
          >
            {text('matrix.whoMay')}
          </QuickLink>
        </li>
      </Tabs>
      {client.disabledAt && (
        <AdminNotice kind="warning">{text('clients.disabledNotice')}</AdminNotice>
      )}
      {client.oldIssuer !== null && (
        <AdminNotice kind="warning">
          {text('clients.oldIssuerNotice', {
            old: issuerKnownTo(client, config().issuer),
            issuer: config().issuer,
          })}{' '}
          <QuickLink href={`${clientPage(client.id, 'settings')}#protocol`} className="gh-link">
            {text('clients.oldIssuer')}
          </QuickLink>
        </AdminNotice>
      )}
      <FailedLogoutNotice clientId={client.id} />
      {children}
    </AdminPage>
  );
}

/** Says that sign-outs do not reach the app, how its address failed, and whether it is tried again. */
async function FailedLogoutNotice({ clientId }: { clientId: string }) {
  const text = await pageText();
  const failed = await readFailedLogout(clientId);
  if (!failed) return null;
  return (
    <AdminNotice kind="warning">
      {text('failedLogout.notice', { failed: failedLogoutText(text, failed.failure) })}{' '}
      {text('failedLogout.tried')} <Moment locale={text.locale} at={failed.failedAt} />.{' '}
      {failed.nextAt ? (
        <>
          {text('failedLogout.next')} <Moment locale={text.locale} at={failed.nextAt} />.
        </>
      ) : (
        text('failedLogout.givenUp')
      )}
    </AdminNotice>
  );
}

async function Heading({ client, kept }: { client: ClientRecord; kept: boolean }) {
  const text = await pageText();
  return (
    <span className="flex min-w-0 items-start gap-x-4">
      <AppMark
        id={client.id}
        name={client.shownName}
        image={pictureOf(client)}
        className="size-12 text-xl"
      />
      <span className="flex min-h-12 min-w-0 flex-wrap items-center gap-x-4 gap-y-1.5">
        <UserText text={client.shownName} className="min-w-0 wrap-anywhere" />
        <span className="flex flex-wrap gap-1.5 text-base tracking-normal">
          <Badge>{typeOf(text, client)}</Badge>
          {client.registration && (
            <Badge tone="warning">
              {text('newApps.badge')}:{' '}
              <UserText
                text={client.registration.host}
                className="whitespace-normal wrap-anywhere"
              />
            </Badge>
          )}
          {client.access === 'listed' && <Badge>{text('access.restricted')}</Badge>}
          {client.firstParty && <Badge tone="accent">{text('clients.ours')}</Badge>}
          {client.agent && <Badge tone="accent">{text('clients.agentBadge')}</Badge>}
          {client.resourceServer && <Badge>{text('clients.resourceServer')}</Badge>}
          {hasRules(client) && <Badge>{text('rules.badge')}</Badge>}
          {kept && <KeptBadge />}
          {client.disabledAt && <Badge tone="danger">{text('clients.disabled')}</Badge>}
        </span>
      </span>
    </span>
  );
}

/** What kind of app it is: how it keeps a secret, unless it needs no tokens. */
function typeOf(text: Text, client: ClientRecord): string {
  const speaks = spokenBy(client);
  if (speaks === 'proxy') return text('clients.kinds.guarded.label');
  if (speaks === 'ldap') return text('clients.kinds.ldap.label');
  return client.type === 'public' ? text('clients.public') : text('clients.confidential');
}
