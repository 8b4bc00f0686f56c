import type { TraceRecord } from '#lib/management/attempt/traces.ts';
import { traceWords as words } from '#lib/messages/admin/traces.ts';
import { Badge } from '../../ui/badge.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { clientPage } from '../addresses.ts';
import { Moment } from '../ui/moment.tsx';
import { QuickLink } from '../ui/quick-link.tsx';
import { Table } from '../ui/table.tsx';

/** Attempts, each with its last step and its result. */
export function TraceTable({
  traces,
  ofApp = false,
  at,
}: {
  traces: readonly TraceRecord[];
  ofApp?: boolean;
  /** For a developer of the app: its attempts are at this address, and nobody is named. */
  at?: string;
}) {
  const columns = [
    { key: 'result', label: words.columnResult },
    ...(ofApp ? [] : [{ key: 'app', label: words.columnApp }]),
    { key: 'step', label: words.columnStep },
    { key: 'person', label: words.columnPerson },
    { key: 'behind', label: words.sentBy },
    { key: 'when', label: words.columnWhen },
  ];
  return (
    <Table
      caption={words.list}
      columns={columns}
      rows={traces.map((trace) => ({ key: trace.id, cells: cellsOf(trace, at) }))}
    />
  );
}

function cellsOf(trace: TraceRecord, at?: string) {
  return {
    result: (
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Result trace={trace} />
        <QuickLink className="gh-link font-semibold" href={`${at ?? '/admin/traces'}/${trace.id}`}>
          {trace.rule ? words.rules[trace.rule].what : words.steps[trace.step]}
        </QuickLink>
      </span>
    ),
    // A name that may break anywhere takes no width of its own.
    app: (
      <div className="sm:min-w-24">
        <App trace={trace} />
      </div>
    ),
    step: words.steps[trace.step],
    person:
      trace.username === null ? (
        words.nobody
      ) : at ? (
        words.somebody
      ) : (
        <QuickLink className="gh-link" href={`/admin/people/${trace.userId}`}>
          <UserText text={trace.username} />
        </QuickLink>
      ),
    behind: words.behind[trace.behind],
    when: <Moment at={trace.lastAt} />,
  };
}

/** How an attempt stands, as a badge. */
export function Result({ trace }: { trace: Pick<TraceRecord, 'outcome' | 'failed'> }) {
  const bad = trace.outcome === 'refused' || trace.outcome === 'failed';
  const tone = bad ? 'danger' : trace.outcome === 'done' ? 'accent' : 'neutral';
  return (
    <>
      <Badge tone={tone}>{words.outcomes[trace.outcome]}</Badge>
      {trace.failed && !bad && <Badge tone="warning">{words.later}</Badge>}
    </>
  );
}

/** The app of an attempt, linked to its page if it exists. */
export function App({ trace }: { trace: TraceRecord }) {
  if (trace.clientId === null || trace.clientName === null) return words.unknownApp;
  return (
    <QuickLink className="gh-link" href={clientPage(trace.clientId, 'activity')}>
      <UserText text={trace.clientName} className="wrap-anywhere" />
    </QuickLink>
  );
}
