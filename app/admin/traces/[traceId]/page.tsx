import { showClient } from '#lib/management/clients.ts';
import { hintsFor } from '#lib/management/trace-hints.ts';
import { isForFile, mendFor, showTrace, type Trace } from '#lib/management/traces.ts';
import { keptWords } from '#lib/messages/admin/kept.ts';
import { traceWords as words } from '#lib/messages/admin/traces.ts';
import { requirePermission } from '../../../guards.ts';
import { orNotFound } from '../../../or-not-found.ts';
import { stripBidi, UserText } from '../../../ui/user-text.tsx';
import { AdminNotice } from '../../ui/admin-notice.tsx';
import { AdminPage } from '../../ui/admin-page.tsx';
import { QuickLink } from '../../ui/quick-link.tsx';
import { MendForm } from '../mend-form.tsx';
import { StepCard } from '../step-card.tsx';
import { App } from '../trace-table.tsx';

type Props = { params: Promise<{ traceId: string }> };

/** One attempt, step by step. */
export default async function TracePage({ params }: Props) {
  await requirePermission('see-everything');
  const trace = await orNotFound(showTrace((await params).traceId));
  const steps = await withMends(trace);
  return (
    <AdminPage
      title={`${words.one} – ${stripBidi(trace.clientName ?? words.unknownApp)}`}
      heading={words.one}
      text={<Who trace={trace} />}
      up={{ href: '/admin/traces', label: words.title }}
    >
      {trace.behind === 'nobody' && <AdminNotice kind="info">{words.anyone}</AdminNotice>}
      <ol className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {steps.map(({ step, mend, forFile }) => (
          <StepCard key={`${step.requestId} ${step.step}`} step={step}>
            {mend && (mend.kind === 'iss' || mend.kind === 'email') && (
              <p>{words.hint[mend.kind]}</p>
            )}
            {mend && forFile && <p>{keptWords.refused.client}</p>}
            {mend && !forFile && <MendForm traceId={trace.id} step={step} mend={mend} />}
          </StepCard>
        ))}
      </ol>
    </AdminPage>
  );
}

/** Each step with the change that would mend it; the same change is offered once. */
async function withMends(trace: Trace) {
  const client =
    trace.clientId === null ? null : await showClient(trace.clientId).catch(() => null);
  const hints = client ? await hintsFor(trace, client, new Date()) : [];
  const offered = new Set<string>();
  const steps = [];
  for (const step of trace.steps) {
    const hint = hints.find(({ requestId }) => requestId === step.requestId);
    const mend = client && ((await mendFor(step, client)) ?? hint ?? null);
    const key = mend && `${mend.kind} ${mend.value}`;
    const fresh = key !== null && !offered.has(key) ? mend : null;
    const forFile = fresh !== null && client !== null && (await isForFile(fresh, client.id));
    steps.push({ step, mend: fresh, forFile });
    if (key !== null) offered.add(key);
  }
  return steps;
}

function Who({ trace }: { trace: Trace }) {
  return (
    <>
      <App trace={trace} />
      {trace.username !== null && (
        <>
          {' · '}
          <QuickLink className="gh-link" href={`/admin/people/${trace.userId}`}>
            <UserText text={trace.username} />
          </QuickLink>
        </>
      )}
    </>
  );
}
