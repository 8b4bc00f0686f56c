import { clientMeant } from '#lib/management/attempt/meant-client.ts';
import { fixesOf, isForFile } from '#lib/management/attempt/trace-fixes.ts';
import { hintsFor } from '#lib/management/attempt/trace-hints.ts';
import { showTrace, type Trace } from '#lib/management/attempt/traces.ts';
import { showClient } from '#lib/management/client/clients.ts';
import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { orNotFound } from '../../../or-not-found.ts';
import { AttemptRequests } from '../../../ui/attempts/attempt-requests.tsx';
import { stripBidi, UserText } from '../../../ui/user-text.tsx';
import { clientPage } from '../../addresses.ts';
import { AdminNotice } from '../../ui/admin-notice.tsx';
import { AdminPage } from '../../ui/admin-page.tsx';
import { QuickLink } from '../../ui/quick-link.tsx';
import { App } from '../attempt-table.tsx';
import { FixForm } from '../fix-form.tsx';
import { offerOf } from '../offer.ts';

type Props = { params: Promise<{ traceId: string }> };

/** One attempt, step by step. */
export default async function TracePage({ params }: Props) {
  await guardPage('/admin/traces/[traceId]');
  const text = await pageText();
  const trace = await orNotFound(showTrace((await params).traceId));
  const steps = await withFixes(trace);
  const meant = await clientMeant(trace);
  return (
    <AdminPage
      title={`${text('attempts.one')} – ${stripBidi(trace.clientName ?? text('attempts.unknownApp'))}`}
      heading={text('attempts.one')}
      text={<Who trace={trace} />}
      up="/admin/traces"
    >
      {trace.behind === 'nobody' && (
        <AdminNotice kind="info">{text('attempts.anyone')}</AdminNotice>
      )}
      {meant && (
        <AdminNotice kind="info">
          {text('attempts.meant')}{' '}
          <QuickLink className="gh-link" href={clientPage(meant.id)}>
            <UserText text={meant.name} /> (<UserText text={meant.id} />)
          </QuickLink>
          ?
        </AdminNotice>
      )}
      <AttemptRequests
        requests={steps.map(({ step, hint, offer, forFile }) => ({
          step,
          action: (
            <>
              {hint && <p>{text(`attempts.hint.${hint}`)}</p>}
              {forFile && <p>{text('kept.refused.client')}</p>}
              {offer && <FixForm traceId={trace.id} offer={offer} />}
            </>
          ),
        }))}
      />
    </AdminPage>
  );
}

/**
 * Each step with what might have gone wrong and the change that would fix it. A change is offered
 * only once, at the last step that it concerns.
 */
async function withFixes(trace: Trace) {
  const text = await pageText();
  const now = new Date();
  const client =
    trace.clientId === null ? null : await showClient(trace.clientId).catch(() => null);
  if (!client)
    return trace.steps.map((step) => ({ step, hint: null, offer: null, forFile: false }));
  const hints = await hintsFor(trace, client, now);
  const fixes = await fixesOf(trace, client, hints);
  const offered = new Set<string>();
  const steps = [];
  for (const step of trace.steps.toReversed()) {
    const { requestId } = step;
    const fix = fixes.get(requestId);
    const key = `${fix?.kind} ${fix?.value}`;
    const fresh = fix && !offered.has(key) ? fix : null;
    offered.add(key);
    const forFile = fresh !== null && (await isForFile(fresh, client.id));
    const offer = fresh && !forFile ? offerOf(text, fresh, requestId, trace) : null;
    const hint = hints.find((each) => each.requestId === requestId)?.kind ?? null;
    steps.unshift({ step, hint, offer, forFile });
  }
  return steps;
}

function Who({ trace }: { trace: Trace }) {
  return (
    <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <App trace={trace} />
      {trace.username !== null && (
        <QuickLink className="gh-link" href={`/admin/people/${trace.userId}`}>
          <UserText text={trace.username} />
        </QuickLink>
      )}
    </span>
  );
}
