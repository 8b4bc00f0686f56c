import { markOf } from '#app/login/with/screen.ts';
import { kinds } from '#lib/identity/upstream/provider-kinds.ts';
import { keptOf } from '#lib/management/kept.ts';
import { type ListedProvider, listProviders } from '#lib/management/provider/providers.ts';
import { countIn } from '#lib/messages/formats.ts';
import type { Text } from '#lib/messages/text.ts';
import { guardPage } from '../../guards.ts';
import { pageText } from '../../locale.ts';
import { AppMark } from '../../ui/app-mark.tsx';
import { Badge } from '../../ui/badge.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Table } from '../../ui/table.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { AdminPage } from '../ui/admin-page.tsx';
import { KeptBadge } from '../ui/kept.tsx';
import { QuickButton, QuickLink } from '../ui/quick-link.tsx';

/** The providers with which people can sign in, besides this server's own ways. */
export default async function ProvidersPage() {
  await guardPage('/admin/providers');
  const text = await pageText();
  const providers = await listProviders(new Date());
  const kept = await keptOf('provider');
  const add = <QuickButton href="/admin/providers/new">{text('providers.add')}</QuickButton>;
  return (
    <AdminPage title={text('providers.title')} text={text('providers.lead')} actions={add}>
      {providers.length === 0 ? (
        <EmptyState icon="plug" title={text('providers.none')} text={text('providers.noneText')} />
      ) : (
        <Table
          caption={text('providers.list')}
          columns={[
            { key: 'name', label: text('providers.columnName') },
            { key: 'issuer', label: text('providers.columnIssuer') },
            { key: 'state', label: text('providers.columnState') },
            { key: 'people', label: text('providers.columnPeople'), numeric: true },
            { key: 'recent', label: text('providers.columnRecent'), numeric: true },
          ]}
          rows={providers.map((one) => ({ key: one.id, cells: cellsOf(text, one, kept) }))}
        />
      )}
    </AdminPage>
  );
}

function cellsOf(text: Text, provider: ListedProvider, kept: ReadonlySet<string>) {
  const { id, name, kind, issuer, use } = provider;
  return {
    name: (
      <div className="flex items-center gap-3">
        <AppMark
          id={provider.slug}
          name={name}
          image={markOf(provider)}
          className="size-8 text-sm"
        />
        <div className="min-w-0 wrap-anywhere">
          <QuickLink className="gh-link font-semibold" href={`/admin/providers/${id}`}>
            <UserText text={name} />
          </QuickLink>{' '}
          {kept.has(id) && <KeptBadge />}
          <p className="text-sm text-ink-soft">{kinds[kind].name}</p>
        </div>
      </div>
    ),
    issuer: <span className="font-mono text-sm wrap-anywhere">{issuer}</span>,
    state: <State text={text} provider={provider} />,
    people: countIn(text.locale, use.people),
    recent: countIn(text.locale, use.recent),
  };
}

function State({ text, provider }: { text: Text; provider: ListedProvider }) {
  if (provider.secret === 'lost') return <Badge>{text('providers.states.lost')}</Badge>;
  if (!provider.enabled) return <Badge>{text('providers.states.off')}</Badge>;
  if (!provider.maySignIn) return <>{text('providers.states.linked')}</>;
  return <>{text(provider.mayRegister ? 'providers.states.registers' : 'providers.states.on')}</>;
}
