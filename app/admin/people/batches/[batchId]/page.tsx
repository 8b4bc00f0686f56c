import { decoded } from '#lib/http/decoded.ts';
import { needOf } from '#lib/identity/guards.ts';
import { canSendMail } from '#lib/mail/post.ts';
import { actingFreely } from '#lib/management/act.ts';
import {
  type BatchSoFar,
  listNotDone,
  pendingOf,
  showBatch,
} from '#lib/management/batch/batches.ts';
import { operationNamed } from '#lib/management/batch/operations.ts';
import { keptSentence } from '#lib/management/batch/run.ts';
import { sentenceIn, type Text } from '#lib/messages/text.ts';
import { may, type Role } from '#lib/people/roles.ts';
import { guardPage } from '../../../../guards.ts';
import { pageText } from '../../../../locale.ts';
import { orNotFound } from '../../../../or-not-found.ts';
import { readParams, type SearchParams } from '../../../../params.ts';
import { ButtonLink } from '../../../../ui/button.tsx';
import { Card } from '../../../../ui/card.tsx';
import { Hidden } from '../../../../ui/hidden.tsx';
import { Table } from '../../../../ui/table.tsx';
import { AdminNotice } from '../../../ui/admin-notice.tsx';
import { AdminPage } from '../../../ui/admin-page.tsx';
import { ActionForm } from '../../../ui/forms/action-form.tsx';
import { Submit } from '../../../ui/forms/submit.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { Links } from '../../invite/links.tsx';
import { stopForMany } from '../../many/actions.ts';
import { batchTitle } from '../operation-label.ts';
import { About } from './about.tsx';
import { Who } from './who.tsx';

type Props = { params: Promise<{ batchId: string }>; searchParams: SearchParams };

/** The progress of a bulk action, and the people for whom it was not done. */
export default async function BatchPage({ params, searchParams }: Props) {
  const { user } = await guardPage('/admin/people/batches/[batchId]');
  const text = await pageText();
  const id = decoded((await params).batchId);
  const query = await readParams(searchParams);
  const now = new Date();
  const by = actingFreely(user.role, { id: user.id }, now);
  const batch = await orNotFound(showBatch(id, by));
  const list = await orNotFound(listNotDone(id, by, { cursor: query.after }));
  const links = canSendMail() || !batch.finishedAt ? [] : await pendingOf(batch, now);
  const isPerson = operationNamed(batch.operation)?.noun !== 'invitation';
  return (
    <AdminPage title={batchTitle(text, batch)} up="/admin/people/batches">
      <SoFar batch={batch} mayUndo={mayUndo(user.role, batch)} />
      <About batch={batch} />
      {links.length > 0 && (
        <Card id="links" title={text('links.title')}>
          <Links ids={links} />
        </Card>
      )}
      {list.rows.length > 0 && (
        <Card id="not-done" title={text('batches.notDone')} text={text('batches.notDoneText')}>
          <Table
            caption={text('batches.notDone')}
            columns={[
              { key: 'who', label: text('batches.columnWho') },
              { key: 'why', label: text('batches.columnWhy') },
            ]}
            rows={list.rows.map((row) => ({
              key: String(row.position),
              cells: {
                who: <Who subject={row.subject} label={row.label} isPerson={isPerson} />,
                why: sayKept(text, row.reason),
              },
            }))}
          />
          <Pager
            path={`/admin/people/batches/${id}`}
            query={query}
            next={list.next}
            previous={null}
          />
        </Card>
      )}
    </AdminPage>
  );
}

function sayKept({ locale }: Text, kept: string | null): string | null {
  const said = keptSentence(kept);
  return said && sentenceIn(locale, said);
}

/** Whether something is left to undo, and this role may do that. */
function mayUndo(role: Role, { operation, undoes, finishedAt, progress }: BatchSoFar): boolean {
  const { act, undo } = operationNamed(operation) ?? { undo: 'never' };
  if (!act || undo === 'never' || undoes !== null || !finishedAt || progress.kept === 0)
    return false;
  return [act, undo.act].every((each) => may(role, needOf(each.may).permission));
}

async function SoFar({ batch, mayUndo }: { batch: BatchSoFar; mayUndo: boolean }) {
  const text = await pageText();
  const { id, total, progress, finishedAt, stopped } = batch;
  const why = sayKept(text, stopped);
  const judged = total - progress.waiting;
  const facts = [
    ['done', progress.done],
    ['already', progress.already],
    ['refused', progress.refused],
    ['waiting', progress.waiting],
  ] as const;
  const goesOn = finishedAt ? {} : { 'data-every': '1000' };
  return (
    <Card>
      <div id="so-far" data-live={`/admin/people/batches/${id}`} {...goesOn}>
        {finishedAt ? (
          <AdminNotice kind={why ? 'warning' : 'success'}>
            {why ? text('batches.stopped', { why }) : text('batches.finished')}
          </AdminNotice>
        ) : (
          <div className="grid gap-1.5">
            <label htmlFor="progress" className="text-sm font-semibold">
              {text('batches.soFar', { judged, total })}
            </label>
            <progress id="progress" max={total} value={judged} />
          </div>
        )}
        <dl className="mt-5 flex flex-wrap gap-x-10 gap-y-3">
          {facts.map(
            ([fact, count]) =>
              (count > 0 || fact === 'done') && (
                <div key={fact}>
                  <dt className="text-sm text-ink-soft">{text(`batches.facts.${fact}`)}</dt>
                  <dd className="text-xl font-semibold tabular-nums">
                    {text('batches.count', { count })}
                  </dd>
                </div>
              ),
          )}
        </dl>
      </div>
      {!finishedAt && (
        <noscript>
          <meta httpEquiv="refresh" content="3" />
        </noscript>
      )}
      <div className="mt-5 flex flex-wrap gap-3">
        {finishedAt ? (
          <>
            <ButtonLink href="/admin/people">{text('batches.toPeople')}</ButtonLink>
            {mayUndo && (
              <ButtonLink kind="secondary" href={`/admin/people/batches/${id}/undo`}>
                {text('batches.undo')}
              </ButtonLink>
            )}
          </>
        ) : (
          <ActionForm need="help-people" adds action={stopForMany}>
            <Hidden fields={{ id }} />
            <Submit kind="secondary">{text('batches.stop')}</Submit>
          </ActionForm>
        )}
      </div>
    </Card>
  );
}
