import type { ReactNode } from 'react';
import type { TraceRecord } from '#lib/management/attempt/traces.ts';
import type { Text } from '#lib/messages/text.ts';
import { pageText } from '../../locale.ts';
import { Badge } from '../badge.tsx';
import { type Column, type Row, Table } from '../table.tsx';
import { When } from '../when.tsx';
import { happenedIn } from './happened.ts';

type Shown = {
  /** The address below which each attempt has its page. */
  at: string;
  /** How the app of an attempt is shown, in lists with attempts of several apps. */
  app?: (trace: TraceRecord) => ReactNode;
  /** How the person who signed in is shown. */
  person: (trace: TraceRecord) => ReactNode;
};

/** Attempts, each with its last step and its result. */
export async function TraceTable({ traces, ...shown }: Shown & { traces: readonly TraceRecord[] }) {
  const text = await pageText();
  return (
    <Table
      caption={text('attempts.list')}
      columns={traceColumns(text, shown)}
      rows={traces.map((trace) => traceRow(text, trace, shown))}
    />
  );
}

export const traceColumns = (text: Text, { app }: Pick<Shown, 'app'>): Column[] => [
  { key: 'result', label: text('attempts.columnResult') },
  ...(app ? [{ key: 'app', label: text('attempts.columnApp') }] : []),
  { key: 'person', label: text('attempts.columnPerson') },
  { key: 'when', label: text('attempts.columnWhen') },
];

export function traceRow(text: Text, trace: TraceRecord, { at, app, person }: Shown): Row {
  return {
    key: trace.id,
    cells: {
      result: <ResultLink trace={trace} at={at} text={text} />,
      app: app?.(trace),
      person: trace.username === null ? text('attempts.nobody') : person(trace),
      when: <When locale={text.locale} at={trace.lastAt} />,
    },
  };
}

const looks = { done: 'accent', waits: 'neutral', denied: 'neutral', refused: 'danger' } as const;

/**
 * What happened. If a request was refused, also which one, and whether anyone could have sent it.
 */
function ResultLink({ trace, at, text }: { trace: TraceRecord; at: string; text: Text }) {
  const { tone, what } = happenedIn(trace);
  return (
    <span className="gh-who">
      <Badge tone={looks[tone]}>{text(`listening.tones.${tone}`)}</Badge>
      {trace.failed && tone !== 'refused' && <Badge tone="warning">{text('attempts.later')}</Badge>}
      <a className="gh-name" data-sheet href={`${at}/${trace.id}`}>
        {text(what)}
      </a>
      {trace.rule && (
        <span className="text-ink-soft max-sm:hidden">
          {text(`attempts.steps.${trace.step}`)}
          {trace.behind === 'nobody' &&
            ` · ${text('attempts.sentBy')}: ${text('attempts.behind.nobody')}`}
        </span>
      )}
    </span>
  );
}
