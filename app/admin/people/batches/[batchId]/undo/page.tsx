import { notFound } from 'next/navigation';
import { decoded } from '#lib/http/decoded.ts';
import { needOf } from '#lib/identity/guards.ts';
import { actingFreely } from '#lib/management/act.ts';
import { showBatch } from '#lib/management/batch/batches.ts';
import { operationNamed } from '#lib/management/batch/operations.ts';
import { planUndo, type UndoPlan } from '#lib/management/batch/undo.ts';
import { sentenceIn } from '#lib/messages/text.ts';
import { may } from '#lib/people/roles.ts';
import { guardPage } from '../../../../../guards.ts';
import { pageText } from '../../../../../locale.ts';
import { orNotFound } from '../../../../../or-not-found.ts';
import { ButtonLink } from '../../../../../ui/button.tsx';
import { Card } from '../../../../../ui/card.tsx';
import { Hidden } from '../../../../../ui/hidden.tsx';
import { Table } from '../../../../../ui/table.tsx';
import { orRefusal } from '../../../../or-refusal.ts';
import { AdminNotice } from '../../../../ui/admin-notice.tsx';
import { AdminPage } from '../../../../ui/admin-page.tsx';
import { ActionForm } from '../../../../ui/forms/action-form.tsx';
import { Submit } from '../../../../ui/forms/submit.tsx';
import { undoForMany } from '../../../many/actions.ts';
import { batchTitle, operationLabel } from '../../operation-label.ts';
import { Who } from '../who.tsx';

type Props = { params: Promise<{ batchId: string }> };

/** Asks once before a bulk action is undone, and names those who would be left alone. */
export default async function UndoPage({ params }: Props) {
  const { user } = await guardPage('/admin/people/batches/[batchId]/undo');
  const text = await pageText();
  const id = decoded((await params).batchId);
  const by = actingFreely(user.role, { id: user.id }, new Date());
  const batch = await orNotFound(showBatch(id, by));
  const act = operationNamed(batch.operation)?.act;
  if (act && !may(user.role, needOf(act.may).permission)) notFound();
  const plan = await orRefusal(planUndo(id, by));
  const what = operationLabel(text, batch.operation);
  const up = { href: `/admin/people/batches/${id}`, label: batchTitle(text, batch) };
  const isPlan = 'batch' in plan;
  const title = isPlan
    ? text('batches.undoAsk', { what, count: plan.people })
    : text('batches.undo');
  return (
    <AdminPage
      title={title}
      text={isPlan ? text('batches.undoText') : undefined}
      up={up}
      width="narrow"
    >
      {isPlan ? (
        <Plan plan={plan} back={up.href} />
      ) : (
        <AdminNotice kind="error">{sentenceIn(text.locale, plan)}</AdminNotice>
      )}
    </AdminPage>
  );
}

/** The maximum number of people who are named. */
const mostNamed = 200;

async function Plan({ plan, back }: { plan: UndoPlan; back: string }) {
  const text = await pageText();
  const { batch, people, leftAlone } = plan;
  return (
    <>
      <Card>
        <ActionForm need="help-people" action={undoForMany}>
          <Hidden fields={{ id: batch.id }} />
          {people === 0 && <AdminNotice kind="info">{text('batches.undoNone')}</AdminNotice>}
          <div className="flex flex-wrap gap-3">
            {people > 0 && <Submit>{text('batches.undoConfirm', { count: people })}</Submit>}
            <ButtonLink kind="quiet" href={back}>
              {text('batches.back')}
            </ButtonLink>
          </div>
        </ActionForm>
      </Card>
      {leftAlone.length > 0 && (
        <Card
          id="left-alone"
          title={text('batches.undoLeft', { count: leftAlone.length })}
          text={text('batches.undoLeftText')}
        >
          <Table
            caption={text('batches.undoLeft', { count: leftAlone.length })}
            columns={[
              { key: 'who', label: text('batches.columnWho') },
              { key: 'why', label: text('batches.columnWhy') },
            ]}
            rows={leftAlone.slice(0, mostNamed).map(({ id, name, why }) => ({
              key: id,
              cells: {
                who: <Who subject={id} label={name} />,
                why: sentenceIn(text.locale, why),
              },
            }))}
          />
          {leftAlone.length > mostNamed && (
            <p className="mt-3 text-sm text-ink-soft">
              {text('batches.more', { count: leftAlone.length - mostNamed })}
            </p>
          )}
        </Card>
      )}
    </>
  );
}
