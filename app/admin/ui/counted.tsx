import type { ReactNode } from 'react';

/** A table, with the total number of rows in the list above it. */
export function Counted({ total, children }: { total: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <p className="text-sm text-ink-soft tabular-nums">{total}</p>
      {children}
    </div>
  );
}
