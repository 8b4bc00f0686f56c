import { decoded } from '#lib/http/decoded.ts';
import { fixFor } from '#lib/management/attempt/trace-fixes.ts';
import { showTraceOf, type TraceStep } from '#lib/management/attempt/traces.ts';
import { showClient } from '#lib/management/client/clients.ts';
import { requireContact } from '../../../../guards.ts';
import { pageText } from '../../../../locale.ts';
import { orNotFound } from '../../../../or-not-found.ts';
import { AttemptRequests } from '../../../../ui/attempts/attempt-requests.tsx';
import { stripBidi } from '../../../../ui/user-text.tsx';
import { DeveloperFrame, developerPage } from '../../frame.tsx';
import { ForAdmin } from '../for-admin.tsx';

type Props = { params: Promise<{ clientId: string; traceId: string }> };

/** One attempt of an app, for its developers, who can ask an admin for what they may not change. */
export default async function DeveloperTracePage({ params }: Props) {
  const text = await pageText();
  const { clientId: named, traceId } = await params;
  const clientId = decoded(named);
  const { user } = await requireContact(clientId);
  const client = await orNotFound(showClient(clientId));
  const trace = await orNotFound(showTraceOf(client.id, traceId));
  const steps: { step: TraceStep; fix: string | undefined }[] = [];
  for (const step of trace.steps) {
    const fix = await fixFor(step, client, trace.userId);
    steps.push({ step, fix: fix ? text(`attempts.fix.${fix.kind}`) : undefined });
  }
  return (
    <DeveloperFrame
      title={`${text('attempts.one')} – ${stripBidi(client.shownName)}`}
      heading={text('attempts.one')}
      lead={stripBidi(client.shownName)}
      role={user.role}
      up={{ href: developerPage(client.id), label: text('developer.backToApp') }}
    >
      <AttemptRequests
        requests={steps.map(({ step, fix }) => ({
          step,
          action: step.outcome === 'refused' && (
            <ForAdmin step={step} app={`${stripBidi(client.shownName)} (${client.id})`} fix={fix} />
          ),
        }))}
      />
    </DeveloperFrame>
  );
}
