import { decoded } from '#lib/http/decoded.ts';
import { listTraces } from '#lib/management/attempt/traces.ts';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { showClient } from '#lib/management/client/clients.ts';
import { listReasons } from '#lib/management/overview.ts';
import { guardPage } from '../../../../guards.ts';
import { pageText } from '../../../../locale.ts';
import { orNotFound } from '../../../../or-not-found.ts';
import { readParams, type SearchParams } from '../../../../params.ts';
import { EmptyState } from '../../../../ui/empty-state.tsx';
import { clientPage } from '../../../addresses.ts';
import { EventList } from '../../../audit/event-list.tsx';
import { ReasonTable } from '../../../overview/reason-table.tsx';
import { AttemptTable } from '../../../traces/attempt-table.tsx';
import { hrefOf } from '../../../ui/href.ts';
import { Pager } from '../../../ui/pager.tsx';
import { QuickLink } from '../../../ui/quick-link.tsx';
import { AppPage } from '../app-page.tsx';

type Props = { params: Promise<{ clientId: string }>; searchParams: SearchParams };

/** What has happened with an app. */
export default async function ActivityPage({ params, searchParams }: Props) {
  await guardPage('/admin/clients/[clientId]/activity');
  const text = await pageText();
  const client = await orNotFound(showClient(decoded((await params).clientId)));
  const query = await readParams(searchParams);
  const { rows, next, previous } = await orNotFound(
    listAudit({ clientId: client.id, cursor: query.after || undefined, limit: 25 }),
  );
  return (
    <AppPage client={client} tab="activity">
      {!query.after && <Reasons clientId={client.id} />}
      {!query.after && <Attempts clientId={client.id} />}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <h2 className="text-lg font-semibold tracking-tight">{text('app.events')}</h2>
          <QuickLink
            className="gh-link text-sm"
            href={hrefOf('/admin/audit', { client: client.id })}
          >
            {text('app.eventsFilter')}
          </QuickLink>
        </div>
        {rows.length > 0 ? (
          <EventList events={rows} />
        ) : (
          <EmptyState icon="clock" title={text('clients.eventsNone')} />
        )}
        <Pager
          path={clientPage(client.id, 'activity')}
          query={{ after: query.after }}
          next={next}
          previous={previous}
        />
      </div>
    </AppPage>
  );
}

/** Why requests of the app were refused, if any were. */
async function Reasons({ clientId }: { clientId: string }) {
  const text = await pageText();
  const reasons = await listReasons(new Date(), clientId);
  if (reasons.length === 0) return null;
  return (
    <section aria-labelledby="reasons-title" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <h2 id="reasons-title" className="text-lg font-semibold tracking-tight">
        {text('overview.reasons')}
      </h2>
      <ReasonTable reasons={reasons} clientId={clientId} />
    </section>
  );
}

async function Attempts({ clientId }: { clientId: string }) {
  const text = await pageText();
  const { rows } = await listTraces({ clientId, limit: 20 });
  return (
    <section aria-labelledby="attempts-title" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="attempts-title" className="text-lg font-semibold tracking-tight">
          {text('attempts.ofApp')}
        </h2>
        {rows.length > 0 && (
          <QuickLink
            className="gh-link text-sm"
            href={hrefOf('/admin/traces', { client: clientId })}
          >
            {text('attempts.ofAppAll')}
          </QuickLink>
        )}
      </div>
      {rows.length > 0 ? (
        <AttemptTable traces={rows} />
      ) : (
        <EmptyState icon="clock" title={text('attempts.none')} text={text('attempts.noneText')} />
      )}
    </section>
  );
}
