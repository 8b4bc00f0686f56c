import { decoded } from '#lib/http/decoded.ts';
import { canSendMail } from '#lib/mail/post.ts';
import { actingFreely } from '#lib/management/act.ts';
import {
  type BatchSoFar,
  listNotDone,
  type NotDone,
  pendingOf,
  showBatch,
} from '#lib/management/batch/batches.ts';
import { operationNamed } from '#lib/management/batch/operations.ts';
import { keptSentence } from '#lib/management/batch/run.ts';
import { sentenceIn, type Text } from '#lib/messages/text.ts';
import { guardPage } from '../../../../guards.ts';
import { pageText } from '../../../../locale.ts';
import { orNotFound } from '../../../../or-not-found.ts';
import { readParams, type SearchParams } from '../../../../params.ts';
import { ButtonLink } from '../../../../ui/button.tsx';
import { Card } from '../../../../ui/card.tsx';
import { Hidden } from '../../../../ui/hidden.tsx';
import { Table } from '../../../../ui/table.tsx';
import { UserText } from '../../../../ui/user-text.tsx';
import { AdminNotice } from '../../../ui/admin-notice.tsx';
import { AdminPage } from '../../../ui/admin-page.tsx';
import { ActionForm } from '../../../ui/forms/action-form.tsx';
import { Submit } from '../../../ui/forms/submit.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { QuickLink } from '../../../ui/quick-link.tsx';
import { Links } from '../../invite/links.tsx';
import { stopForMany } from '../../many/actions.ts';
import { operationTitle } from '../operation-label.ts';

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
    <AdminPage
      title={operationTitle(text, batch.operation, batch.total)}
      up="/admin/people/batches"
    >
      <SoFar batch={batch} />
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
                who: <Who row={row} isPerson={isPerson} />,
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

function Who({ row: { subject, label }, isPerson }: { row: NotDone; isPerson: boolean }) {
  const name = <UserText text={label} />;
  if (!isPerson) return name;
  return (
    <QuickLink className="gh-link" href={`/admin/people/${encodeURIComponent(subject)}`}>
      {name}
    </QuickLink>
  );
}

async function SoFar({ batch }: { batch: BatchSoFar }) {
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
          <ButtonLink href="/admin/people">{text('batches.toPeople')}</ButtonLink>
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
