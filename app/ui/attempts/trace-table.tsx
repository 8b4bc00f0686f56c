import Link from 'next/link';
import type { ReactNode } from 'react';
import type { TraceRecord } from '#lib/management/attempt/traces.ts';
import type { Text } from '#lib/messages/text.ts';
import { pageText } from '../../locale.ts';
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
export async function TraceTable({ traces, at, app, person }: Props) {
  const text = await pageText();
  const columns = [
    { key: 'result', label: text('attempts.columnResult') },
    ...(app ? [{ key: 'app', label: text('attempts.columnApp') }] : []),
    { key: 'step', label: text('attempts.columnStep') },
    { key: 'person', label: text('attempts.columnPerson') },
    { key: 'behind', label: text('attempts.sentBy') },
    { key: 'when', label: text('attempts.columnWhen') },
  ];
  const cellsOf = (trace: TraceRecord) => ({
    result: <ResultLink trace={trace} at={at} text={text} />,
    // A name that may break anywhere takes no width of its own.
    app: <div className="sm:min-w-24">{app?.(trace)}</div>,
    step: text(`attempts.steps.${trace.step}`),
    person: trace.username === null ? text('attempts.nobody') : person(trace),
    behind: text(`attempts.behind.${trace.behind}`),
    when: <Moment locale={text.locale} at={trace.lastAt} />,
  });
  return (
    <Table
      caption={text('attempts.list')}
      columns={columns}
      rows={traces.map((trace) => ({ key: trace.id, cells: cellsOf(trace) }))}
    />
  );
}

function ResultLink({ trace, at, text }: { trace: TraceRecord; at: string; text: Text }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <Result trace={trace} text={text} />
      <Link prefetch={false} className="gh-link font-semibold" href={`${at}/${trace.id}`}>
        {trace.rule
          ? text(`attempts.rules.${trace.rule}.what`)
          : text(`attempts.steps.${trace.step}`)}
      </Link>
    </span>
  );
}
