import { actingFreely } from '#lib/management/act.ts';
import { listBatches } from '#lib/management/batch/batches.ts';
import { labelsOf } from '#lib/store/user-list.ts';
import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Table } from '../../../ui/table.tsx';
import { UserText } from '../../../ui/user-text.tsx';
import { When } from '../../../ui/when.tsx';
import { Who } from '../../audit/event-list.tsx';
import { AdminPage } from '../../ui/admin-page.tsx';
import { QuickLink } from '../../ui/quick-link.tsx';
import { batchLabel } from './operation-label.ts';

/** Recent bulk actions. */
export default async function BatchesPage() {
  const { user } = await guardPage('/admin/people/batches');
  const text = await pageText();
  const by = actingFreely(user.role, { id: user.id }, new Date());
  const found = await listBatches(by);
  const names = await labelsOf(found.map(({ madeBy }) => madeBy));
  return (
    <AdminPage title={text('batches.title')} text={text('batches.lead')} up="/admin/people">
      {found.length === 0 ? (
        <EmptyState icon="people" title={text('batches.none')} text={text('batches.noneText')} />
      ) : (
        <Table
          caption={text('batches.title')}
          columns={[
            { key: 'what', label: text('batches.columnWhat') },
            { key: 'total', label: text('batches.columnTotal'), numeric: true },
            { key: 'done', label: text('batches.facts.done'), numeric: true },
            { key: 'refused', label: text('batches.facts.refused'), numeric: true },
            { key: 'waiting', label: text('batches.facts.waiting'), numeric: true },
            { key: 'who', label: text('batches.by') },
            { key: 'when', label: text('batches.columnWhen') },
          ]}
          rows={found.map(({ id, total, progress, createdAt, madeBy, note, ...batch }) => ({
            key: id,
            cells: {
              what: (
                <>
                  <QuickLink className="gh-link font-semibold" href={`/admin/people/batches/${id}`}>
                    {batchLabel(text, batch)}
                  </QuickLink>
                  {note && (
                    <span className="block text-sm text-ink-soft wrap-anywhere">
                      <UserText text={note} />
                    </span>
                  )}
                </>
              ),
              who: <Who id={madeBy} name={names.get(madeBy) ?? null} text={text} />,
              total: text('batches.count', { count: total }),
              done: text('batches.count', { count: progress.done + progress.already }),
              refused: text('batches.count', { count: progress.refused }),
              waiting: text('batches.count', { count: progress.waiting }),
              when: <When locale={text.locale} at={createdAt} />,
            },
          }))}
        />
      )}
    </AdminPage>
  );
}
