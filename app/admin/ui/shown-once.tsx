'use client';

import { CopyButton } from '../../ui/copy-button.tsx';
import { AdminNotice } from './admin-notice.tsx';

/** A secret that is shown once, with a copy button. */
export function ShownOnce({
  title,
  text,
  label,
  value,
}: {
  title: string;
  text: string;
  label: string;
  value: string;
}) {
  return (
    <div data-focus tabIndex={-1} className="grid gap-3 rounded-xl outline-none">
      <AdminNotice kind="success" title={title}>
        {text}
      </AdminNotice>
      <dl className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl border border-line bg-sunken px-4 py-3">
        <dt className="text-sm font-semibold">{label}</dt>
        <dd className="min-w-0 flex-1 font-mono break-all select-all">{value}</dd>
        <dd>
          <CopyButton text={value} />
        </dd>
      </dl>
    </div>
  );
}
