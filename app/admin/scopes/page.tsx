import { keptOf } from '#lib/management/kept.ts';
import { listScopes, type Scope } from '#lib/management/scope/scopes.ts';
import { scopeWords as words } from '#lib/messages/admin/scopes.ts';
import { requirePermission } from '../../guards.ts';
import { Badge } from '../../ui/badge.tsx';
import { describeScope } from '../../ui/scope-list.tsx';
import { Table } from '../../ui/table.tsx';
import { scopePage } from '../addresses.ts';
import { AdminPage } from '../ui/admin-page.tsx';
import { KeptBadge } from '../ui/kept.tsx';
import { QuickButton, QuickLink } from '../ui/quick-link.tsx';

export default async function ScopesPage() {
  await requirePermission('see-everything');
  const scopes = await listScopes();
  const kept = await keptOf('scope');
  return (
    <AdminPage
      title={words.title}
      text={words.lead}
      actions={<QuickButton href="/admin/scopes/new">{words.add}</QuickButton>}
    >
      <Table
        caption={words.list}
        columns={[
          { key: 'name', label: words.columnScope },
          { key: 'says', label: words.columnSays },
          { key: 'asked', label: words.columnAsked },
        ]}
        rows={scopes.map((scope) => ({ key: scope.name, cells: cellsOf(scope, kept) }))}
      />
    </AdminPage>
  );
}

function cellsOf(scope: Scope, kept: ReadonlySet<string>) {
  return {
    name: (
      <QuickLink className="gh-link font-mono font-semibold" href={scopePage(scope.name)}>
        {scope.name}
      </QuickLink>
    ),
    says: describeScope(scope, 'en'),
    asked: (
      <div className="flex flex-wrap gap-1.5">
        {scope.builtIn && <Badge>{words.builtIn}</Badge>}
        {scope.isDefault && <Badge tone="accent">{words.isDefault}</Badge>}
        {kept.has(scope.name) && <KeptBadge />}
        {scope.sensitive && <Badge tone="warning">{words.sensitive}</Badge>}
      </div>
    ),
  };
}
