'use client';

import { useText } from '../browser-text.tsx';
import { CopyButton } from '../copy-button.tsx';

/** A value with its label, in a `dl`, and a button that copies it. */
export function CopyValue({
  label,
  value,
  keeps,
}: {
  label: string;
  value: string;
  /** The value is a secret; once it is copied, the user may leave the page without a warning. */
  keeps?: boolean;
}) {
  const text = useText();
  return (
    <div>
      <dt className="text-sm text-ink-soft">{label}</dt>
      <dd className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4">
        <code className="min-w-0 text-sm font-semibold break-all select-all">{value}</code>
        <CopyButton text={value} what={text('connect.copyValue', { label })} keeps={keeps} />
      </dd>
    </div>
  );
}
