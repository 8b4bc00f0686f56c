import { keptOf } from '#lib/management/kept.ts';
import { listScopes, type Scope } from '#lib/management/scope/scopes.ts';
import type { Text } from '#lib/messages/text.ts';
import { requirePermission } from '../../guards.ts';
import { pageText } from '../../locale.ts';
import { Badge } from '../../ui/badge.tsx';
import { describeScope } from '../../ui/scope-list.tsx';
import { Table } from '../../ui/table.tsx';
import { scopePage } from '../addresses.ts';
import { AdminPage } from '../ui/admin-page.tsx';
import { KeptBadge } from '../ui/kept.tsx';
import { QuickButton, QuickLink } from '../ui/quick-link.tsx';

export default async function ScopesPage() {
  await requirePermission('see-everything');
  const text = await pageText();
  const scopes = await listScopes();
  const kept = await keptOf('scope');
  return (
    <AdminPage
      title={text('scopes.title')}
      text={text('scopes.lead')}
      actions={<QuickButton href="/admin/scopes/new">{text('scopes.add')}</QuickButton>}
    >
      <Table
        caption={text('scopes.list')}
        columns={[
          { key: 'name', label: text('scopes.columnScope') },
          { key: 'says', label: text('scopes.columnSays') },
          { key: 'asked', label: text('scopes.columnAsked') },
        ]}
        rows={scopes.map((scope) => ({ key: scope.name, cells: cellsOf(text, scope, kept) }))}
      />
    </AdminPage>
  );
}

function cellsOf(text: Text, scope: Scope, kept: ReadonlySet<string>) {
  return {
    name: (
      <QuickLink className="gh-link font-mono font-semibold" href={scopePage(scope.name)}>
        {scope.name}
      </QuickLink>
    ),
    says: describeScope(scope, text.locale),
    asked: (
      <div className="flex flex-wrap gap-1.5">
        {scope.builtIn && <Badge>{text('scopes.builtIn')}</Badge>}
        {scope.isDefault && <Badge tone="accent">{text('scopes.isDefault')}</Badge>}
        {kept.has(scope.name) && <KeptBadge />}
        {scope.sensitive && <Badge tone="warning">{text('scopes.sensitive')}</Badge>}
      </div>
    ),
  };
}
