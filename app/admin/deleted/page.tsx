import { listDeletions } from '#lib/management/deletion/deletions.ts';
import type { Text } from '#lib/messages/text.ts';
import { readSettings } from '#lib/store/settings.ts';
import { labelsOf } from '#lib/store/user-list.ts';
import { guardPage } from '../../guards.ts';
import { pageText } from '../../locale.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Table } from '../../ui/table.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { Who } from '../audit/event-list.tsx';
import { AdminPage } from '../ui/admin-page.tsx';
import { Confirmed } from '../ui/forms/confirmed.tsx';
import { SaveForm } from '../ui/forms/save-form.tsx';
import { deleteForGood, putBack } from './actions.ts';

/** The people, apps and groups that were deleted and can be put back. */
export default async function DeletedPage() {
  await guardPage('/admin/deleted');
  const text = await pageText();
  const found = await listDeletions();
  const { deletedRetentionDays: days } = await readSettings();
  const names = await labelsOf(found.map(({ madeBy }) => madeBy));
  return (
    <AdminPage title={text('deleted.title')} text={text('deleted.lead', { days })}>
      {found.length === 0 ? (
        <EmptyState icon="people" title={text('deleted.none')} text={text('deleted.noneText')} />
      ) : (
        <Table
          caption={text('deleted.title')}
          columns={[
            { key: 'name', label: text('deleted.columnName') },
            { key: 'when', label: text('deleted.columnWhen') },
            { key: 'by', label: text('deleted.columnBy') },
            { key: 'until', label: text('deleted.columnUntil') },
            { key: 'do', label: <span className="sr-only">{text('deleted.putBack')}</span> },
          ]}
          rows={found.map(({ id, kind, name, deletedAt, madeBy, until }) => ({
            key: id,
            cells: {
              name: (
                <>
                  <UserText className="font-semibold" text={name} />
                  <span className="block text-sm text-ink-soft">{kindText(text, kind)}</span>
                </>
              ),
              when: <When locale={text.locale} at={deletedAt} />,
              by: <Who id={madeBy} name={names.get(madeBy) ?? null} text={text} />,
              until: <When locale={text.locale} at={until} />,
              do: <Acts id={id} name={name} />,
            },
          }))}
        />
      )}
    </AdminPage>
  );
}

async function Acts({ id, name }: { id: string; name: string }) {
  const text = await pageText();
  return (
    <div className="flex flex-wrap items-start gap-2">
      <SaveForm
        kind="secondary"
        size="small"
        save={text('deleted.putBack')}
        action={putBack}
        fields={{ id }}
      />
      <Confirmed
        quiet
        label={text('deleted.end')}
        accessibleLabel={text('deleted.endLabel', { name })}
        text={text('deleted.endText')}
        confirm={text('deleted.endConfirm')}
        action={deleteForGood}
        fields={{ id }}
      />
    </div>
  );
}

const kinds = ['user', 'client', 'group'] as const;

function kindText(text: Text, kind: string): string {
  const known = kinds.find((each) => each === kind);
  return known ? text(`deleted.kinds.${known}`) : kind;
}
