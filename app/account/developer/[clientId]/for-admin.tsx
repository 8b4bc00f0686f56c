import type { TraceStep } from '#lib/management/attempt/traces.ts';
import { developerWords as words } from '#lib/messages/admin/developer.ts';
import { traceWords } from '#lib/messages/admin/traces.ts';
import { stripBidi } from '../../../ui/user-text.tsx';

type Props = { step: TraceStep; app: string; fix: string | undefined };

/** What to tell the administrator about a refused request, to be selected and copied. */
export function ForAdmin({ step, app, fix }: Props) {
  const text = messageOf(step, app, fix);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {fix && <p>{words.mendable(fix)}</p>}
      <details>
        <summary className="w-fit cursor-pointer py-1 text-sm font-semibold">
          {words.copyTitle}
        </summary>
        <pre className="mt-2 rounded-xl border border-line bg-sunken px-4 py-3 font-mono text-xs wrap-anywhere whitespace-pre-wrap select-all">
          {text}
        </pre>
      </details>
    </div>
  );
}

function messageOf(step: TraceStep, app: string, fix: string | undefined): string {
  const what = step.rule ? traceWords.rules[step.rule].what : step.reason;
  const lines: [string, string | null | undefined][] = [
    ['App', app],
    [traceWords.columnStep, traceWords.steps[step.step]],
    [traceWords.reason, what],
    [traceWords.received, step.received],
    [traceWords.expected, step.expected.slice(0, 5).join(', ')],
    [traceWords.sentBy, traceWords.behind[step.behind]],
    [traceWords.request, step.requestId],
    [traceWords.columnWhen, step.at.toISOString()],
    ['Fix', fix],
  ];
  const said = lines.filter(([, value]) => value);
  return said.map(([label, value]) => `${label}: ${stripBidi(String(value))}`).join('\n');
}
