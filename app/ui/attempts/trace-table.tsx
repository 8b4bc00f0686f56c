import Link from 'next/link';
import type { ReactNode } from 'react';
import type { TraceRecord } from '#lib/management/attempt/traces.ts';
import { traceWords as words } from '#lib/messages/admin/traces.ts';
import { Moment } from '../moment.tsx';
import { Table } from '../table.tsx';
import { Result } from './result.tsx';

type Props = {
  traces: readonly TraceRecord[];
  /** The address that each attempt stands below. */
  at: string;
  /** How the app of an attempt is shown, where there are attempts of several. */
  app?: (trace: TraceRecord) => ReactNode;
  /** How somebody is shown who signed in. */
  person: (trace: TraceRecord) => ReactNode;
};

/** Attempts, each with its last step and its result. */
export function TraceTable({ traces, at, app, person }: Props) {
  const columns = [
    { key: 'result', label: words.columnResult },
    ...(app ? [{ key: 'app', label: words.columnApp }] : []),
    { key: 'step', label: words.columnStep },
    { key: 'person', label: words.columnPerson },
    { key: 'behind', label: words.sentBy },
    { key: 'when', label: words.columnWhen },
  ];
  const cellsOf = (trace: TraceRecord) => ({
    result: <ResultLink trace={trace} at={at} />,
    // A name that may break anywhere takes no width of its own.
    app: <div className="sm:min-w-24">{app?.(trace)}</div>,
    step: words.steps[trace.step],
    person: trace.username === null ? words.nobody : person(trace),
    behind: words.behind[trace.behind],
    when: <Moment at={trace.lastAt} />,
  });
  return (
    <Table
      caption={words.list}
      columns={columns}
      rows={traces.map((trace) => ({ key: trace.id, cells: cellsOf(trace) }))}
    />
  );
}

function ResultLink({ trace, at }: { trace: TraceRecord; at: string }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <Result trace={trace} />
      <Link prefetch={false} className="gh-link font-semibold" href={`${at}/${trace.id}`}>
        {trace.rule ? words.rules[trace.rule].what : words.steps[trace.step]}
      </Link>
    </span>
  );
}
