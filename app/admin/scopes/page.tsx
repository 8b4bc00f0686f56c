import { keptOf } from '#lib/management/kept.ts';
import { listScopes, type Scope } from '#lib/management/scope/scopes.ts';
import type { Text } from '#lib/messages/text.ts';
import { guardPage } from '../../guards.ts';
import { pageText } from '../../locale.ts';
import { Badge } from '../../ui/badge.tsx';
import { describeScope } from '../../ui/scope-list.tsx';
import { scopePage } from '../addresses.ts';
import { KeptBadge } from '../ui/kept.tsx';
import { QuickButton, QuickLink } from '../ui/quick-link.tsx';
import { List } from '../ui/table/list.tsx';

export default async function ScopesPage() {
  await guardPage('/admin/scopes');
  const text = await pageText();
  const scopes = await listScopes();
  const kept = await keptOf('scope');
  const total = { count: scopes.length, more: false };
  return (
    <List
      title={text('scopes.title')}
      text={text('scopes.lead')}
      actions={
        <QuickButton size="small" href="/admin/scopes/new">
          {text('scopes.add')}
        </QuickButton>
      }
      path="/admin/scopes"
      query={{}}
      search={text('scopes.title')}
      caption={text('scopes.list')}
      columns={[
        { key: 'name', label: text('scopes.columnScope') },
        { key: 'says', label: text('scopes.columnSays'), phone: 'line' },
        { key: 'asked', label: text('scopes.columnAsked') },
      ]}
      list={{ total, page: 1 }}
      rows={scopes.map((scope) => ({ key: scope.name, cells: cellsOf(text, scope, kept) }))}
      empty={null}
    />
  );
}

function cellsOf(text: Text, scope: Scope, kept: ReadonlySet<string>) {
  return {
    name: (
      <QuickLink className="gh-name font-mono" href={scopePage(scope.name)}>
        {scope.name}
      </QuickLink>
    ),
    says: describeScope(scope, text.locale),
    asked: (scope.builtIn || scope.isDefault || scope.sensitive || kept.has(scope.name)) && (
      <div className="flex flex-wrap gap-1.5">
        {scope.builtIn && <Badge>{text('scopes.builtIn')}</Badge>}
        {scope.isDefault && <Badge tone="accent">{text('scopes.isDefault')}</Badge>}
        {kept.has(scope.name) && <KeptBadge />}
        {scope.sensitive && <Badge tone="warning">{text('scopes.sensitive')}</Badge>}
      </div>
    ),
  };
}
