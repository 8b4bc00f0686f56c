import type { TraceStep } from '#lib/management/attempt/traces.ts';
import type { Text } from '#lib/messages/text.ts';
import { pageText } from '../../../locale.ts';
import { stripBidi } from '../../../ui/user-text.tsx';

type Props = { step: TraceStep; app: string; fix: string | undefined };

/** A text about a refused request to copy and send to the administrator. */
export async function ForAdmin({ step, app, fix }: Props) {
  const words = await pageText();
  const text = messageOf(words, step, app, fix);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {fix && <p>{words('developer.fixable', { what: fix })}</p>}
      <details>
        <summary className="w-fit cursor-pointer py-1 text-sm font-semibold">
          {words('developer.copyTitle')}
        </summary>
        <pre className="mt-2 rounded-xl border border-line bg-sunken px-4 py-3 font-mono text-xs wrap-anywhere whitespace-pre-wrap select-all">
          {text}
        </pre>
      </details>
    </div>
  );
}

function messageOf(text: Text, step: TraceStep, app: string, fix: string | undefined): string {
  const what = step.rule ? text(`attempts.rules.${step.rule}.what`) : step.reason;
  const lines: [string, string | null | undefined][] = [
    [text('attempts.columnApp'), app],
    [text('attempts.columnStep'), text(`attempts.steps.${step.step}`)],
    [text('attempts.reason'), what],
    [text('attempts.received'), step.received],
    [text('attempts.expected'), step.expected.slice(0, 5).join(', ')],
    [text('attempts.sentBy'), text(`attempts.behind.${step.behind}`)],
    [text('attempts.request'), step.requestId],
    [text('attempts.columnWhen'), step.at.toISOString()],
    [text('developer.fix'), fix],
  ];
  const said = lines.filter(([, value]) => value);
  return said.map(([label, value]) => `${label}: ${stripBidi(String(value))}`).join('\n');
}
