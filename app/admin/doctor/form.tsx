'use client';

import type { Finding } from '#lib/doctor/finding.ts';
import { Badge } from '../../ui/badge.tsx';
import { useText } from '../../ui/browser-text.tsx';
import { ActionForm, useForm } from '../ui/forms/action-form.tsx';
import { Submit } from '../ui/forms/submit.tsx';
import { examineServer, type Looked } from './actions.ts';

/** Starts an examination of the server, and shows what it found. */
export function DoctorForm() {
  const text = useText();
  return (
    <ActionForm
      action={examineServer}
      label={text('doctor.title')}
      className="grid grid-cols-[minmax(0,1fr)] gap-4"
    >
      <Found />
    </ActionForm>
  );
}

function Found() {
  const text = useText();
  const { result } = useForm<Looked>().state;
  const isWell = result?.open.length === 0;
  return (
    <>
      <div>
        <Submit kind="secondary" size="small">
          {result ? text('doctor.again') : text('doctor.check')}
        </Submit>
      </div>
      {result && (
        <p role="status" className="font-semibold">
          {isWell
            ? text('doctor.fine', { count: result.count })
            : text('doctor.found', { open: result.open.length, count: result.count })}
        </p>
      )}
      {result && !isWell && (
        <ul className="divide-y divide-line">
          {result.open.map((finding) => (
            <Point key={`${finding.check} ${finding.says}`} finding={finding} />
          ))}
        </ul>
      )}
    </>
  );
}

function Point({ finding: { is, says, fix } }: { finding: Finding }) {
  const text = useText();
  return (
    <li className="grid gap-1 py-3 wrap-anywhere">
      <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
        {is !== 'fine' && (
          <Badge tone={is === 'trouble' ? 'danger' : 'warning'}>{text(`doctor.is.${is}`)}</Badge>
        )}
        <span className="min-w-0">{says}</span>
      </p>
      {fix && (
        <p className="text-sm text-ink-soft">
          {text('doctor.fix')}: {fix}
        </p>
      )}
    </li>
  );
}
