import { listFields, type UserField } from '#lib/management/field/user-fields.ts';
import { keptOf } from '#lib/management/kept.ts';
import type { Text } from '#lib/messages/text.ts';
import { guardPage } from '../../guards.ts';
import { pageText } from '../../locale.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Table } from '../../ui/table.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { fieldPage } from '../addresses.ts';
import { AdminPage } from '../ui/admin-page.tsx';
import { KeptBadge } from '../ui/kept.tsx';
import { QuickButton, QuickLink } from '../ui/quick-link.tsx';

export default async function FieldsPage() {
  await guardPage('/admin/fields');
  const text = await pageText();
  const fields = await listFields();
  const kept = await keptOf('field');
  return (
    <AdminPage
      title={text('fields.title')}
      text={text('fields.lead')}
      up="/admin/people"
      actions={<QuickButton href="/admin/fields/new">{text('fields.add')}</QuickButton>}
    >
      {fields.length === 0 ? (
        <EmptyState icon="person" title={text('fields.empty')} text={text('fields.emptyText')} />
      ) : (
        <Table
          caption={text('fields.list')}
          columns={[
            { key: 'field', label: text('fields.columnField') },
            { key: 'type', label: text('fields.columnType') },
            { key: 'editor', label: text('fields.columnEditor') },
            { key: 'scope', label: text('fields.columnScope') },
          ]}
          rows={fields.map((field) => ({ key: field.name, cells: cellsOf(text, field, kept) }))}
        />
      )}
    </AdminPage>
  );
}

function cellsOf(
  text: Text,
  { name, label, type, editor, scope }: UserField,
  kept: ReadonlySet<string>,
) {
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
    type: text(`fields.types.${type}`),
    editor: text(`fields.editors.${editor}`),
    scope: <span className="font-mono wrap-anywhere">{scope}</span>,
  };
}
