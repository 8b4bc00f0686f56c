import type { TraceRecord } from '#lib/management/attempt/traces.ts';
import { pageText } from '../../locale.ts';
import { AppMark } from '../../ui/app-mark.tsx';
import { TraceTable } from '../../ui/attempts/trace-table.tsx';
import { Badge } from '../../ui/badge.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { clientPage } from '../addresses.ts';
import { QuickLink } from '../ui/quick-link.tsx';

/** How attempts are shown in the dashboard, with links to their apps and people. */
export const shownHere = {
  at: '/admin/traces',
  app: (trace: TraceRecord) => <App trace={trace} />,
  person: (trace: TraceRecord) => (
    <QuickLink className="gh-link" href={`/admin/people/${trace.userId}`}>
      <UserText text={trace.username ?? ''} />
    </QuickLink>
  ),
};

export function AttemptTable({ traces }: { traces: readonly TraceRecord[] }) {
  return <TraceTable {...shownHere} traces={traces} app={undefined} />;
}

/** The app of an attempt, linked to its page if it exists. */
export async function App({ trace }: { trace: TraceRecord }) {
  const text = await pageText();
  if (trace.clientId === null || trace.clientName === null) return text('attempts.unknownApp');
  return (
    <span className="flex items-center gap-2.5">
      <AppMark
        id={trace.clientId}
        name={trace.clientName}
        image={trace.clientPicture}
        className="size-6.5 text-xs"
      />
      <QuickLink className="gh-name min-w-20" href={clientPage(trace.clientId, 'activity')}>
        <UserText text={trace.clientName} className="wrap-anywhere" />
      </QuickLink>
      {trace.clientAgent && <Badge tone="accent">{text('clients.agentBadge')}</Badge>}
    </span>
  );
}
