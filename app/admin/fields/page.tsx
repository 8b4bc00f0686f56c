import { listFields, type UserField } from '#lib/management/field/user-fields.ts';
import { keptOf } from '#lib/management/kept.ts';
import { fieldWords as words } from '#lib/messages/admin/fields.ts';
import { peopleWords } from '#lib/messages/admin/people.ts';
import { requirePermission } from '../../guards.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Table } from '../../ui/table.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { fieldPage } from '../addresses.ts';
import { AdminPage } from '../ui/admin-page.tsx';
import { KeptBadge } from '../ui/kept.tsx';
import { QuickButton, QuickLink } from '../ui/quick-link.tsx';

export default async function FieldsPage() {
  await requirePermission('see-everything');
  const fields = await listFields();
  const kept = await keptOf('field');
  return (
    <AdminPage
      title={words.title}
      text={words.lead}
      up={{ href: '/admin/people', label: peopleWords.title }}
      actions={<QuickButton href="/admin/fields/new">{words.add}</QuickButton>}
    >
      {fields.length === 0 ? (
        <EmptyState icon="person" title={words.empty} text={words.emptyText} />
      ) : (
        <Table
          caption={words.list}
          columns={[
            { key: 'field', label: words.columnField },
            { key: 'type', label: words.columnType },
            { key: 'editor', label: words.columnEditor },
            { key: 'scope', label: words.columnScope },
          ]}
          rows={fields.map((field) => ({ key: field.name, cells: cellsOf(field, kept) }))}
        />
      )}
    </AdminPage>
  );
}

function cellsOf({ name, label, type, editor, scope }: UserField, kept: ReadonlySet<string>) {
  return {
    field: (
      <div className="min-w-0 wrap-anywhere">
        <QuickLink className="gh-link font-semibold" href={fieldPage(name)}>
          <UserText text={label} />
        </QuickLink>{' '}
        {kept.has(name) && <KeptBadge />}
        <p className="font-mono text-sm text-ink-soft">{name}</p>
      </div>
    ),
    type: words.types[type],
    editor: words.editors[editor],
    scope: <span className="font-mono wrap-anywhere">{scope}</span>,
  };
}
