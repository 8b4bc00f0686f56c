import type { TraceRecord } from '#lib/management/attempt/traces.ts';
import { pageText } from '../../locale.ts';
import { TraceTable } from '../../ui/attempts/trace-table.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { clientPage } from '../addresses.ts';
import { QuickLink } from '../ui/quick-link.tsx';

type Props = { traces: readonly TraceRecord[]; ofApp?: boolean };

/** Attempts with links to their apps and people; on the page of an app, without that app. */
export function AttemptTable({ traces, ofApp = false }: Props) {
  return (
    <TraceTable
      traces={traces}
      at="/admin/traces"
      app={ofApp ? undefined : (trace) => <App trace={trace} />}
      person={(trace) => (
        <QuickLink className="gh-link" href={`/admin/people/${trace.userId}`}>
          <UserText text={trace.username ?? ''} />
        </QuickLink>
      )}
    />
  );
}

/** The app of an attempt, linked to its page if it exists. */
export async function App({ trace }: { trace: TraceRecord }) {
  const text = await pageText();
  if (trace.clientId === null || trace.clientName === null) return text('attempts.unknownApp');
  return (
    <QuickLink className="gh-link" href={clientPage(trace.clientId, 'activity')}>
      <UserText text={trace.clientName} className="wrap-anywhere" />
    </QuickLink>
  );
}
